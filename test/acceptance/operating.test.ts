import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const chapters = new URL("../../docs/operations/", import.meta.url);

/** The chapters, in the order in which the first of them names them. */
function readChapters(): string {
  const first = readFileSync(new URL("README.md", chapters), "utf8");
  const names = [...first.matchAll(/\]\(([\w-]+\.md)\) \|$/gm)].map(([, name = ""]) => name);
  return names.map((name) => readFileSync(new URL(name, chapters), "utf8")).join("\n");
}

/** The commands of docs/operations/, without those that serve or need a server; what asks is answered. */
function readCommands(): string[] {
  const blocks = [...readChapters().matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
  return blocks
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.startsWith("dispatch-cli ") && !/ serve | --url /.test(line))
    .map((line) => line.replace(/^dispatch-cli /, "").replace(/ +# .*$/, ""))
    .map((line) =>
      line
        .replace("$(date +%F)", "2026-11-21")
        .replace("/backup/", `${folder}/`)
        .replaceAll("/etc/dispatch/", `${folder}/`),
    )
    .map((line) => line.replace("try.db", join(folder, "try.db")))
    .map((line) => (asks(line) ? `${line} --yes` : line));
}

const asks = (line: string) =>
  (line.startsWith("restore ") && !line.includes("--data")) ||
  (line.startsWith("hooks resume ") && !line.includes("--yes"));

it("tells how to operate a store by commands that all work", async () => {
  const env = { DISPATCH_DATA: join(folder, "dispatch.db"), DISPATCH_CONFIG: join(folder, "config") };
  expect((await runCommand(["init"], { env })).code).toBe(0);
  for (const name of ["secret", "new"])
    writeFileSync(join(folder, `${name}.key`), randomBytes(32).toString("base64"), { mode: 0o600 });
  const commands = readCommands();
  expect(commands.length).toBeGreaterThan(6);
  for (const line of commands) {
    const { code, stderr, stdout } = await runCommand(toWords(line), { env });
    const known = Object.entries(told).filter(([words]) => line.startsWith(words));
    const [, [answer, note = ""] = [/^$/]] = known[0] ?? [];
    expect([line, known.length, code, stderr]).toEqual([line, 1, 0, note]);
    expect(stdout, line).toMatch(answer);
  }
});

const ofBackups = "Backups that were made before hold the secrets as they were then.\n";

/** What each command answers, and the note beside it. */
const told: Readonly<Record<string, readonly [answer: RegExp, note?: string]>> = {
  "backup ": [/^Backed .+ up to .+: 1 tenants, .+, checked\.\n$/],
  doctor: [/^ok .+ store .+\n(?:(?:ok|warn) .+\n| {3}.+\n|\n)*.+\.\n$/],
  "hooks pause": [
    /^Deliveries to webhooks are held since .+: receivers move\. `.+` sends or discards them\.\n$/,
  ],
  "hooks resume --data": [/^Deliveries go on; none is pending\.\n$/],
  "hooks resume --discard": [/^Deliveries to webhooks are not held; nothing was changed\.\n$/],
  migrate: [/ is up to date \(schema \d+\)\.\n$/],
  "restore ": [/^Restored .+\n(?:.+\n)?Deliveries .+ `dispatch-cli hooks resume --data .+` sends .+\n$/],
  "secrets encrypt": [/ were encrypted\.\n0 in plain text\.\n$/, ofBackups],
  "secrets rotate": [/ were encrypted anew\.\n0 in plain text\.\n$/, ofBackups],
  "secrets status": [/ encrypted with key [0-9a-f]{16}\.\n0 in plain text\.\n$/],
  "stats ": [/^store +.+\ntenant +1 \(My company\)\n/],
  "store policy": [/^Webhooks may lead to private addresses\.\n/],
};
