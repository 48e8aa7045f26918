import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

/** The commands of docs/operating.md, without those that serve or need a server; what asks is answered. */
function readCommands(): string[] {
  const text = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
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
    const { code, stderr } = await runCommand(toWords(line), { env });
    // What a command tells beside its answer is a note, never a fault.
    expect([line, code, stderr.includes("error:")]).toEqual([line, 0, false]);
  }
});
