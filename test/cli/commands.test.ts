import { expect, it } from "vitest";
import { type CommandEffect, effectOfBuiltin } from "../../src/cli/commands/builtin.ts";
import type { CommandFacts } from "../../src/cli/commands/commands/describe-command.ts";
import { walkCommands } from "../../src/cli/common-options.ts";
import { operationsOf } from "../../src/cli/operation-command/operation-command.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { kindOfNoun } from "../../src/records/find-kind.ts";
import { loadWholeTree, runCommand } from "../support/command-line.ts";

const leaves = [...walkCommands(await loadWholeTree())];
const { code, stdout } = await runCommand(["commands", "-o", "json"]);
const told: { commands: CommandFacts[]; exit_codes: { code: number }[] } = JSON.parse(stdout);
const find = (name: string) => told.commands.find((command) => command.name === name);

it("lists every command with a summary, an example and explained exit codes", () => {
  expect(code).toBe(0);
  expect(told.commands.map(({ name }) => name)).toEqual(leaves.map(({ path }) => path.join(" ")));
  const known = told.exit_codes.map(({ code }) => code);
  for (const { examples, exit_codes, name, summary } of told.commands) {
    expect([name, summary]).toEqual([name, expect.stringMatching(/\w/)]);
    expect([name, exit_codes.filter((code) => !known.includes(code))]).toEqual([name, []]);
    for (const example of examples)
      expect([name, example]).toEqual([name, expect.stringContaining(name.split(" ", 1)[0] ?? "")]);
  }
  expect(told.commands.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
});

it("lists the command of each operation with its parameters", async () => {
  expect(find("jobs create")).toMatchObject({
    effect: "write",
    operation: { name: "jobs.create", method: "POST", path: "/locations/{location_id}/jobs" },
    exit_codes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 130],
  });
  const type = find("jobs create")?.options.find(({ name }) => name === "--type");
  expect(type).toMatchObject({ type: "choice", required: true, repeatable: false, general: false });
  expect(type?.choices).toContain("D");
  expect(find("jobs create")?.options.find(({ name }) => name === "--location")).toMatchObject({
    type: "name",
    required: false,
  });
  expect(find("jobs list")?.options.find(({ aliases }) => aliases.includes("-o"))).toMatchObject({
    name: "--output",
    general: true,
    choices: ["table", "json", "ndjson", "csv", "yaml"],
  });
  expect(find("jobs get")?.arguments).toMatchObject([{ name: "id", required: true, variadic: false }]);
  expect(find("haulers create")?.options.find(({ name }) => name.startsWith("--password"))?.type).toBe(
    "file",
  );
  const names = new Set(told.commands.flatMap(({ operation }) => operation?.name ?? []));
  const missing = (await loadOperations()).map(({ name }) => name).filter((name) => !names.has(name));
  // Some operations have a builtin command of the same name instead, and some nouns have only builtin commands.
  const isOwn = (name: string) => !find(name.replace(".", " ")) && kindOfNoun(name.split(".")[0] ?? "");
  expect(missing.filter(isOwn)).toEqual([]);
});

it("marks each command as reading, writing, or hard to undo", () => {
  const effectsOf = (names: readonly string[]) => names.map((name) => find(name)?.effect);
  const expected: CommandEffect[] = ["read", "write", "dangerous", "dangerous", "read"];
  expect(effectsOf(["jobs list", "jobs complete", "jobs delete", "undo", "export jobs"])).toEqual(expected);
  const builtin = leaves.filter(({ command }) => !operationsOf(command));
  const without = builtin.filter(({ command }) => !effectOfBuiltin(command));
  const files = without.map(({ path }) => `src/cli/commands/${path.join("-")}/ or ${path[0]}/`);
  expect(files, "declare the effect where the command is created: defineBuiltin(name, effect)").toEqual([]);
});

it("lists commands as text, filters by words, and suggests the intended words", async () => {
  const { stdout: listed } = await runCommand(["commands", "versions"], { columns: 100 });
  expect(listed.split("\n").map((line) => line.trim().split("  ")[0])).toContain("versions diff");
  expect(listed).not.toContain("jobs");
  const missed = await runCommand(["commands", "jbos", "list"]);
  expect([missed.code, missed.stderr]).toEqual([2, expect.stringContaining("Did you mean jobs list?")]);
});
