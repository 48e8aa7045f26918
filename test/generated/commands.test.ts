import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoStore, makeDemoStore } from "../demo/demo-store.ts";
import { commandLeaves, toCommandLine } from "../support/command-leaves.ts";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let demo: DemoStore;
let env: Record<string, string>;

beforeAll(async () => {
  demo = await makeDemoStore(sqlite, { jobs: 40 });
  env = { DISPATCH_DATA: demo.database.data, DISPATCH_TENANT: "1" };
});
afterAll(() => demo.close());

describe.each([
  ["a pipe", {}],
  ["a terminal", { columns: 100 }],
] as const)("every command on %s", (_, screen) => {
  const isTerminal = "columns" in screen;

  // The conformance suite runs every command itself, and has its own tests.
  const leaves = commandLeaves.filter(([words]) => words !== "conformance");

  it.each(leaves)("writes each message to the right stream: %s", async (words, command) => {
    const argv = toCommandLine(words, command, folder);
    const shown = await runCommand(argv, { env, ...screen });
    checkStreams(shown, isTerminal);
    if (shown.code > 0 && shown.stdout === "") checkTold(shown.stderr);
    if (!command.options.some(({ hidden, short }) => !hidden && short === "-o")) return;
    // These commands print line by line, and not as JSON.
    if (words.startsWith("export") || words === "requests tail") return;
    const asJson = await runCommand([...argv, "-o", "json"], { env, ...screen });
    checkStreams(asJson, isTerminal);
    if (asJson.stdout !== "") JSON.parse(asJson.stdout);
    if (asJson.code > 0 && asJson.stdout === "") checkErrorBody(asJson.stderr);
    expect(asJson.code).toBe(shown.code);
  });
});

it("most of the list and get commands succeed", async () => {
  const codes = [];
  for (const [words, command] of commandLeaves.filter(([words]) => / (?:list|get)$/.test(words)))
    codes.push((await runCommand(toCommandLine(words, command, folder), { env })).code);
  expect(codes.filter((code) => code === 0).length).toBeGreaterThan(codes.length * 0.7);
});

/** No colors in a pipe, no stack traces anywhere. */
function checkStreams({ stdout, stderr }: CommandResult, isTerminal: boolean): void {
  if (!isTerminal) expect(stdout + stderr).not.toContain("\u001b[");
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
}

function checkTold(stderr: string): void {
  const [title, ...rest] = stripColours(stderr).trim().split("\n");
  expect(title).toMatch(/^error: \S/);
  // The first line must say why the program refuses a command line.
  expect(title).not.toBe("error: The command cannot be understood");
  // A long line continues on the next one.
  const labels = rest.flatMap((line) => /^ {2}(why|fix): \S/.exec(line)?.[1] ?? []);
  expect(
    labels.filter((label) => label === "fix"),
    stderr,
  ).toHaveLength(1);
}

function checkErrorBody(stderr: string): void {
  const body = JSON.parse(stderr) as { code: string; errors: unknown[]; title: string };
  expect(body).toMatchObject({ code: expect.any(String), title: expect.any(String) });
  expect(body.errors.length).toBeGreaterThan(0);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: color sequences start with a control character.
const stripColours = (text: string) => text.replace(/\u001b\[[0-9;]*m/g, "");
