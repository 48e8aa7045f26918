import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const chapters = new URL("../../docs/operations/", import.meta.url);

function readChapters(): string {
  const first = readFileSync(new URL("README.md", chapters), "utf8");
  const names = [...first.matchAll(/\]\(([\w-]+\.md)\) \|$/gm)].map(([, name = ""]) => name);
  return names.map((name) => readFileSync(new URL(name, chapters), "utf8")).join("\n");
}

/** The commands of docs/operations/, without prompts, servers, and commands that need a server. */
function readCommands(): string[] {
  const blocks = [...readChapters().matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
  return blocks
    .flatMap((block) => block.split("\n"))
    .filter(
      (line) => line.startsWith("dispatch-cli ") && !/ serve | --url | <\w/.test(line.replace(/ # .*/, "")),
    )
    .map((line) => line.replace(/^dispatch-cli /, "").replace(/ +# .*$/, ""))
    .map((line) =>
      line
        .replace("$(date +%F)", "2026-11-21")
        .replace(/(?<= )\/backup(?=[/ ]|$)/, folder)
        .replaceAll("/etc/dispatch/", `${folder}/`),
    )
    .map((line) => line.replace(/(?:drill|try)\.db/, (name) => join(folder, name)))
    .map((line) => (asks(line) ? `${line} --yes` : line));
}

const asks = (line: string) =>
  (line.startsWith("restore ") && !line.includes("--data")) ||
  (/^(?:hooks resume|customers erase|import all) /.test(line) && !/ --(?:yes|dry-run|plan)/.test(line));

it("documents how to operate a store with commands that all work", async () => {
  const env = {
    DISPATCH_DATA: join(folder, "dispatch.db"),
    DISPATCH_CONFIG: join(folder, "config"),
    DISPATCH_TENANT: "1",
  };
  for (const line of records)
    expect([line, (await runCommand(toWords(line), { env })).stderr]).toEqual([
      line,
      expect.not.stringContaining("error"),
    ]);
  writeFileSync(join(folder, "backup.pub"), await identityToRecipient(await generateX25519Identity()), {
    mode: 0o600,
  });
  for (const name of ["secret", "new"])
    writeFileSync(join(folder, `${name}.key`), randomBytes(32).toString("base64"), { mode: 0o600 });
  const commands = readCommands();
  expect(commands.length).toBeGreaterThan(6);
  for (const line of commands) {
    const { code, stderr, stdout } = await runCommand(toWords(line), { env });
    const known = Object.entries(told).filter(([words]) => line.startsWith(words));
    const [, [answer, note = ""] = [/^$/]] = known[0] ?? [];
    const shown = stderr.replaceAll(folder, "/backup").replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(?=:)/, "TIME");
    expect([line, known.length, code, shown]).toEqual([line, 1, 0, note]);
    expect(stdout, line).toMatch(answer);
  }
});

const address =
  "line_1=1 Dock Road,locality=Tacoma,region=WA,postcode=98401,country=US,latitude=47.25,longitude=-122.4,is_billing=true,is_shipping=true";
const customer = (name: string) =>
  `customers create --name ${name} --contact name=Dana,number=555-0100 --address "${address}"`;

/** The records that the commands use: two tenants, three customers, seven contacts, four users, a token. */
const records: readonly string[] = [
  "init",
  "tenants create --name Other",
  ...["One", "Two", "Three"].map(customer),
  ...[4, 5, 6, 7].map((id) => `contacts add --customer 3 --name Dana${id} --number 555-010${id}`),
  ...[2, 3, 4].map((id) => `tokens create --username user${id} --roles Admin`),
];

const ofBackups = "Earlier backups still hold the old secrets.\n";

const ofErasures =
  "Nothing is left in the store. Earlier backups still have the data: after a restore, `dispatch-cli erasures list` shows what to erase again.\n";

/** The expected output of each command, and the note next to it in the page. */
const told: Readonly<Record<string, readonly [answer: RegExp, note?: string]>> = {
  "audit list --since": [
    /^created on .+\n─+\n.+/,
    "cut to 100 characters: changes; -o csv shows them in full\n",
  ],
  "audit list --operation": [/^created on .+\n─+\n(?:.+ (?:created|revoked|updated|erased|changed) .*\n)+/],
  "backup ": [/^Backed up .+ to .+: 2 tenants, .+, verified\.(?: Deleted .+)?\n$/],
  "contacts erase 7": [/^Contact 7 erased, with 1 contact, /, ofErasures],
  "customers erase 3 --dry-run": [/^Customer 3 erased, with 1 address, /, "dry run: nothing was stored\n"],
  "customers erase 3 --yes": [/^Customer 3 erased, with 1 address, /, ofErasures],
  doctor: [/^ok .+ (?:newest|store) .+\n(?:(?:ok|warn) .+\n| {3}.+\n|\n)*.+\.\n$/],
  "erasures list": [/\n 1 +Customer +3 .+\n 2 +CustomerContact +7 .+\n 3 +User +4 /],
  "explain ": [/^store_unavailable: .+\n[\s\S]+ exit code +8/],
  "export all ": [/^$/, "4 records of tenant 1 (My company) written to /backup/tenant-1.ndjson\n"],
  "hooks health": [
    /^$/,
    "no records\n0 healthy, 0 failing, 0 deactivated; 0 deliveries pending\nDeliveries to webhooks have been held since TIME: receivers move.\n",
  ],
  "hooks list": [/^$/, "no records\n"],
  "hooks pause": [
    /^Deliveries to webhooks have been held since .+: receivers move\. `.+` sends or discards them\.\n$/,
  ],
  "hooks resume --data": [/^Deliveries resumed. None is pending\.\n$/],
  "hooks resume --discard": [/^Deliveries are not held\. Nothing changed\.\n$/],
  "import all ": [/^type .+\n─+\nLocation +0 +0 +1 .+\nCustomer +0 +0 +3 /],
  migrate: [/ is up to date \(schema \d+\)\.\n$/],
  "prune --plan": [/^No data has expired\.\n$/],
  "prune --tenant": [/^(?:tenant [12] .+: no data had expired\n){2}$/],
  "prune --yes": [/^tenant 1 .+: no data had expired\n$/],
  "restore ": [
    /^(?:.+ is valid: the backup of .+\n$|Restored .+\n(?:.+\n)?Deliveries .+ `dispatch-cli hooks resume --data .+` sends .+\n$)/,
  ],
  "retention ": [/^Tenant 1 .+\nKIND .+\naudit +forever .+\nchats .+\ndeliveries .+\nevents +30d /],
  "secrets encrypt": [/ were encrypted\.\n0 in plain text\.\n$/, ofBackups],
  "secrets rotate": [/ were re-encrypted\.\n0 in plain text\.\n$/, ofBackups],
  "secrets status": [/ encrypts secrets with key [0-9a-f]{16}\.\n0 in plain text\.\n$/],
  "stats ": [/^store +.+\ntenant +1 \(My company\)\n/],
  "store policy": [/^Webhooks may use private addresses\.\n/],
  "store reporting-views": [/^create temp view reporting_jobs as\n/],
  "tokens list": [/^id +username .+\n─+\n 1 +user2 /],
  "users erase 4": [/^User 4 erased, with 1 token, /, ofErasures],
};
