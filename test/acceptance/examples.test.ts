import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import type { Operation } from "../../src/operation.ts";
import { loadOperation, operationNames, storeOperationNames } from "../../src/operations/index.ts";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const demo = join(folder, "demo.db");
let deliveryId = "";
const env = { DISPATCH_DATA: join(folder, "example.db"), DISPATCH_TENANT: "1" };
const home = process.cwd();

const operations = await Promise.all([...operationNames, ...storeOperationNames].map(loadOperation));

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b(?= --hook)/;

/** Every command line that a help text shows for an operation or a shorthand of it. */
const examples = operations.flatMap(({ name, cli }) => [
  [name, cli?.example ?? ""] as const,
  ...(cli?.verbs ?? []).map(({ verb, example }) => [`${name} (${verb})`, example ?? ""] as const),
]);

/** An example says what it says: the demo's receiver is not started, so its webhook is called in vain. */
const codes: Partial<Record<string, number>> = {
  "hooks.ping": exitCodes.answerIsNo,
  "hooks.trigger": exitCodes.answerIsNo,
};

beforeAll(async () => {
  // What an example names as a file is in the folder that the user is in, and so is what it writes.
  process.chdir(folder);
  writeFileSync("password.txt", "Long-enough1\n");
  const made = await runCommand(toWords(`demo --data ${demo} --jobs 200`));
  expect(made.code).toBe(0);
  // As `demo --serve` makes it; without one there is nothing to revoke.
  const token = await runCommand(toWords(`tokens create --username olivia --data ${demo} --tenant 1`));
  expect(token.code).toBe(0);
  // The log of deliveries has what was tried; an example names a delivery, this is the one there is.
  const ping = await runCommand(toWords(`hooks ping 1 --data ${demo} --tenant 1 -o json`));
  deliveryId = (JSON.parse(ping.stdout) as { delivery_id: string }).delivery_id;
});
afterAll(() => process.chdir(home));

it.each(examples)("%s shows an example that works on the demo store as it stands", async (name, example) => {
  copyFileSync(demo, env.DISPATCH_DATA);
  const { code, stdout, stderr } = await runCommand(toWords(example.replace(uuid, deliveryId)), {
    columns: 80,
    env,
  });
  expect([code, stderr]).toEqual([codes[name] ?? 0, code === 0 ? expect.any(String) : stderr]);
  // Nobody learns from a list that is empty, nor from words that are no answer.
  expect(stderr).not.toContain("no records");
  expect(stdout).not.toMatch(/undefined|\[object|NaN/);
});

it("begins every example with the command whose help shows it", () => {
  const wrong = operations.flatMap((operation: Operation) =>
    toCommands(operation).filter(
      ([command, example]) => !example.startsWith(`${command} `) && example !== command,
    ),
  );
  expect(wrong).toEqual([]);
});

function toCommands({ name, cli }: Operation): [string, string][] {
  const [noun = ""] = name.split(".", 1);
  const own: [string, string] = [name.replace(".", " "), cli?.example ?? ""];
  return [
    own,
    ...(cli?.verbs ?? []).map(({ verb, example = "" }): [string, string] => [`${noun} ${verb}`, example]),
  ];
}

it("writes nothing but what the examples say", () => {
  expect(
    readdirSync(folder)
      .filter((file) => !file.includes(".db"))
      .sort(),
  ).toEqual(["list.pdf", "password.txt"]);
});
