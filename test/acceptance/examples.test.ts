import { randomBytes } from "node:crypto";
import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReady } from "../../bench/measure.js";
import { operationsOf } from "../../src/cli/operation-command/operation-command.ts";
import { toExample } from "../../src/cli/operation-command/to-example.ts";
import { loadPresentation } from "../../src/cli/presentation/index.ts";
import type { Presentation } from "../../src/cli/presentation/presentation.ts";
import { exitCodes } from "../../src/errors/errors.ts";
import { loadOperation, operationNames, storeOperationNames } from "../../src/operations/index.ts";
import { loadWholeTree, runCommand } from "../support/command-line.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { startProgram, toExit } from "../support/program.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const demo = join(folder, "demo.db");
let deliveryId = "";
const env = { DISPATCH_DATA: join(folder, "example.db"), DISPATCH_TENANT: "1" };
const home = process.cwd();
const elsewhere = createEmptyDatabase();

/** Examples of operations that only a server has run on a server. */
const served = await Promise.all(operationNames.map((name) => loadOperation(name)));
const ofServers = served.filter(({ ofServer }) => ofServer).map(({ name }) => name);

const presented = await Promise.all(
  [...operationNames.filter((name) => !ofServers.includes(name)), ...storeOperationNames].map(
    async (name) => {
      const presentation = await loadPresentation(name);
      const example = toExample({ atLocation: null, operation: await loadOperation(name), presentation });
      return { ...presentation, name, example: example ?? "" };
    },
  ),
);

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b(?= --hook)/;

const examples = presented.flatMap(({ name, example, verbs = [] }) => [
  [name, example ?? ""] as const,
  ...verbs.map(({ verb, example }) => [`${name} (${verb})`, example ?? ""] as const),
]);

/** Nobody starts the demo's receiver, so its webhook fails. */
const codes: Partial<Record<string, number>> = {
  "hooks.ping": exitCodes.answerIsNo,
  "hooks.trigger": exitCodes.answerIsNo,
};

beforeAll(async () => {
  // Examples read and write files in the current folder.
  process.chdir(folder);
  writeFileSync("password.txt", "Long-enough1\n");
  writeFileSync("token.txt", "dispatch.1.example\n");
  writeFileSync("secret.txt", "c2VjcmV0LWtleS0xMjM0NTY=\n");
  writeFileSync("headers.txt", "x-service-signature: sha1=00\nwebhook-id: 1\nwebhook-timestamp: 1\n");
  writeFileSync("body.json", "{}");
  const made = await runCommand(toWords(`demo --data ${demo} --jobs 200`));
  expect(made.code).toBe(0);
  // Like the token of `demo --serve`; without one the example has nothing to revoke.
  const token = await runCommand(toWords(`tokens create --username olivia --data ${demo} --tenant 1`));
  expect(token.code).toBe(0);
  copyFileSync(demo, "twin.db");
  for (const name of ["secret", "new"])
    writeFileSync(`${name}.key`, randomBytes(32).toString("base64"), { mode: 0o600 });
  for (const name of ["rotated", "decrypted"]) {
    copyFileSync(demo, `${name}.db`);
    const sealed = await runCommand(
      toWords(`secrets encrypt --data ${name}.db --secret-key-file secret.key`),
    );
    expect(sealed.code).toBe(0);
  }
  const prepared = [
    `init --tenant Initech --data ${elsewhere.data}`,
    "backup dispatch.backup.gz --data twin.db",
    "export all --tenant 1 --out acme.ndjson --data twin.db",
    "export customers --location 1 --out customers.csv --data twin.db --tenant 1",
    ...["jobs", "trucks", "drivers"].map(
      (noun) => `export ${noun} --out their-${noun}.csv --data twin.db --tenant 1`,
    ),
  ];
  for (const line of prepared) expect((await runCommand(toWords(line))).code).toBe(0);
  // The example names a delivery. Use the only one in the log.
  const ping = await runCommand(toWords(`hooks ping 1 --data ${demo} --tenant 1 -o json`));
  deliveryId = (JSON.parse(ping.stdout) as { delivery_id: string }).delivery_id;
});
afterAll(() => {
  process.chdir(home);
  elsewhere.remove();
});

it.each(examples)("%s shows an example that works on the demo store", async (name, example) => {
  copyFileSync(demo, env.DISPATCH_DATA);
  const { code, stdout, stderr } = await runCommand(toWords(example.replace(uuid, deliveryId)), {
    columns: 80,
    env,
  });
  expect([code, stderr]).toEqual([codes[name] ?? 0, code === 0 ? expect.any(String) : stderr]);
  // An empty list or an error teaches nothing. The example store has no erased person.
  if (name !== "erasures.list") expect(stderr).not.toContain("no records");
  expect(stdout).not.toMatch(/undefined|\[object|NaN/);
});

/** How to run the example of a command that is not an operation, where the demo store needs a change first. */
const settings: Readonly<
  Record<string, { line?: (example: string) => string; code?: number; serves?: true }>
> = {
  // Stores that an example creates must not exist yet.
  init: { line: (example) => `${example} --data made.db` },
  demo: { line: (example) => `${example} --data made.db --jobs 10 --port 0`, serves: true },
  serve: { line: (example) => example.replace("8080", "0"), serves: true },
  "store copy": {
    line: (example) => example.replace("dispatch.db", "example.db").replace(/postgres:\S+/, "copy.db"),
  },
  // The files and the other store that the example reads exist already.
  backup: {
    line: (example) => example.replace("dispatch.backup", "made.backup").replace("dispatch.db", "twin.db"),
  },
  "export all": { line: (example) => example.replace("acme", "made") },
  "export customers": { line: (example) => example.replace(/--out \S+/, "--out made.csv") },
  restore: { line: (example) => example.replace("dispatch.db", "made.db") },
  diff: { line: (example) => example.replace("copy.db", "twin.db") },
  push: { line: (example) => example.replace("copy.db", "twin.db") },
  pull: { line: (example) => example.replace("copy.db", "twin.db") },
  doctor: { line: (example) => example.replace("dispatch.db", "twin.db") },
  "secrets status": { line: (example) => example.replace("dispatch.db", "twin.db") },
  "secrets encrypt": { line: (example) => example.replace("dispatch.db", "example.db") },
  "secrets rotate": { line: (example) => example.replace("dispatch.db", "rotated.db") },
  "secrets decrypt": { line: (example) => example.replace("dispatch.db", "decrypted.db") },
  "versions check": { code: exitCodes.answerIsNo },
  // Replaces the example's server, receiver, and signature by ones that exist.
  "profiles add": { line: (example) => example.replace("8080", "1") },
  "hooks certify": { line: (example) => example.replace("3000", "1"), code: exitCodes.answerIsNo },
  "hooks listen": { line: (example) => example.replace("3000", "1").replace("5m", "1s") },
  "hooks trigger": { code: exitCodes.answerIsNo },
  // A store without a server has no recorded requests.
  "requests tail": { code: exitCodes.conflict },
  "hooks verify": { code: exitCodes.answerIsNo },
  "tenants move": { line: (example) => `${example.replace(/postgres:\S+/, elsewhere.data)} --yes` },
  "trucks hand-over": { line: (example) => `${example} --yes` },
  undo: { line: (example) => `${example} --yes` },
  "import jobs": { line: (example) => example.replace("jobs.csv", "their-jobs.csv") },
  "import trucks": { line: (example) => example.replace("trucks.csv", "their-trucks.csv") },
  "import drivers": { line: (example) => example.replace("drivers.csv", "their-drivers.csv") },
};

const tree = await loadWholeTree();
const commands = tree.commands.flatMap((command) =>
  command.commands.length > 0 ? command.commands : [command],
);
const otherPaths = commands
  .filter((command) => !operationsOf(command))
  .map((command) =>
    command.parent === tree ? command.name() : `${command.parent?.name()} ${command.name()}`,
  );

/** The examples that have run, as words, with the files that they write. */
const named = new Set(["acme.ndjson", "config", "customers.csv", "dispatch.backup.gz", "list.pdf"]);

describe("of a command that is not an operation", () => {
  const context = { ...env, DISPATCH_CONFIG: join(folder, "config") };

  it.each(otherPaths)("%s shows an example that works", async (path) => {
    copyFileSync(demo, env.DISPATCH_DATA);
    for (const file of ["made.db", "copy.db"]) rmSync(join(folder, file), { force: true });
    const { stdout: help } = await runCommand([...path.split(" "), "--help"]);
    const [, example = ""] =
      /\nExamples?:\n {2}dispatch-cli (.*)\n/.exec(help.replace(/ \\\n\s+/g, " ")) ?? [];
    expect(example).not.toBe("");
    const { code = 0, line = (text: string) => text, serves } = settings[path] ?? {};
    const words = toWords(line(example).replace(/ > \S+$/, ""));
    for (const word of words) named.add(word);
    const result = serves ? await serveBriefly(words, context) : await runCommand(words, { env: context });
    expect([path, result.code, result.stderr]).toEqual([path, code, expect.any(String)]);
    expect(result.stdout + result.stderr).not.toMatch(/undefined|\[object|NaN/);
  });

  /** Runs a command that serves until it prints its address, then ends it with SIGTERM. */
  async function serveBriefly(words: readonly string[], others: Record<string, string>) {
    const child = startProgram([...words, "-o", "json"], { env: others });
    const exited = toExit(child);
    const stdout = await readReady(child);
    child.kill("SIGTERM");
    return { code: await exited, stdout, stderr: "" };
  }
});

it("begins every example with the command whose help shows it", () => {
  const wrong = presented.flatMap((one) =>
    toCommands(one).filter(([command, example]) => !example.startsWith(`${command} `) && example !== command),
  );
  expect(wrong).toEqual([]);
});

function toCommands({ name, example = "", verbs = [] }: Presentation & { name: string }): [string, string][] {
  const [noun = ""] = name.split(".", 1);
  const own: [string, string] = [name === "search.find" ? "find" : name.replace(".", " "), example];
  return [own, ...verbs.map(({ verb, example = "" }): [string, string] => [`${noun} ${verb}`, example])];
}

it("writes only the files that the examples name", () => {
  const files = readdirSync(folder).filter(
    (file) => !file.includes(".db") && !/\.(txt|json|key)$/.test(file),
  );
  expect(files).toContain("list.pdf");
  expect(files.filter((file) => !named.has(file))).toEqual([]);
});
