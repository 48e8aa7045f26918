import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadOperations } from "../../src/operations/index.ts";
import { type DemoStore, makeDemoStore } from "../demo/demo-store.ts";
import { type CommandResult, loadWholeTree, runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const tree = await loadWholeTree();
const callsOthers = (await loadOperations())
  .filter(({ effect }) => effect === "call")
  .map(({ name }) => name.replace(".", " "));

/** Those that stay until they are ended, call servers somewhere, or are refused what they did a moment ago. */
const left = new Set([
  ...callsOthers,
  "backup",
  "profiles add",
  "serve",
  "hooks listen",
  "hooks deliver",
  "hooks pause",
  "hooks resume",
  "hooks certify",
  "hooks trigger",
]);

const leaves = toLeaves(tree, []).filter(([words]) => !left.has(words));

function toLeaves(command: Command, path: readonly string[]): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(" "), command]];
  return command.commands.flatMap((child) => toLeaves(child, [...path, child.name()]));
}

const folder = useTempFolder();
let demo: DemoStore;
let env: Record<string, string>;

beforeAll(async () => {
  demo = await makeDemoStore(sqlite, { jobs: 40 });
  env = { DISPATCH_DATA: demo.database.data, DISPATCH_TENANT: "1" };
});
afterAll(() => demo.close());

/** A command line that many commands can do something with: ids of records that are there, and nothing is stored. */
function toArgv(words: string, command: Command): string[] {
  const takes = (name: string) => command.options.some(({ long }) => long === name);
  const ids = ["--location", "--customer", "--driver", "--hook", "--job", "--hauler"];
  const given = ids.filter(takes).flatMap((name) => [name, "1"]);
  const isWrite = takes("--dry-run");
  return [
    ...words.split(" "),
    ...command.registeredArguments.map((argument) =>
      /file/.test(argument.name()) ? join(folder, "none") : "1",
    ),
    ...given,
    ...(isWrite ? ["--dry-run"] : []),
    ...(takes("--out")
      ? ["--out", join(folder, words.replaceAll(" ", "-")), "--yes"].slice(0, takes("--yes") ? 3 : 2)
      : []),
  ];
}

describe.each([
  ["a pipe", {}],
  ["a terminal", { columns: 100 }],
] as const)("every command on %s", (_, screen) => {
  const isTerminal = "columns" in screen;

  it.each(leaves)("says what it has to say where it belongs: %s", async (words, command) => {
    const argv = toArgv(words, command);
    const shown = await runCommand(argv, { env, ...screen });
    checkStreams(shown, isTerminal);
    if (shown.code > 0 && shown.stdout === "") checkTold(shown.stderr);
    if (!command.options.some(({ short }) => short === "-o")) return;
    if (words.startsWith("export")) return;
    const asJson = await runCommand([...argv, "-o", "json"], { env, ...screen });
    checkStreams(asJson, isTerminal);
    if (asJson.stdout !== "") JSON.parse(asJson.stdout);
    if (asJson.code > 0 && asJson.stdout === "") checkErrorBody(asJson.stderr);
    expect(asJson.code).toBe(shown.code);
  });
});

it("most of them have something to show", async () => {
  const codes = [];
  for (const [words, command] of leaves.filter(([words]) => / (?:list|get)$/.test(words)))
    codes.push((await runCommand(toArgv(words, command), { env })).code);
  expect(codes.filter((code) => code === 0).length).toBeGreaterThan(codes.length * 0.7);
});

/** No colours in a pipe, no stack traces anywhere. */
function checkStreams({ stdout, stderr }: CommandResult, isTerminal: boolean): void {
  if (!isTerminal) expect(stdout + stderr).not.toContain("\u001b[");
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
}

function checkTold(stderr: string): void {
  const [title, ...rest] = stripColours(stderr).trim().split("\n");
  expect(title).toMatch(/^error: \S/);
  expect(rest.filter((line) => /^ {2}why: \S/.test(line)).length).toBeGreaterThan(0);
  expect(rest.filter((line) => /^ {2}fix: \S/.test(line))).toHaveLength(1);
}

function checkErrorBody(stderr: string): void {
  const body = JSON.parse(stderr) as { code: string; errors: unknown[]; title: string };
  expect(body).toMatchObject({ code: expect.any(String), title: expect.any(String) });
  expect(body.errors.length).toBeGreaterThan(0);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with one.
const stripColours = (text: string) => text.replace(/\u001b\[[0-9;]*m/g, "");
