import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import { customerBody, seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { keys, typeCommand } from "../support/typed-command.ts";

const onStore = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
let onServer: Record<string, string>;
let end: () => Promise<void>;
const hostile = "Evil \u001b[31mred\u001b[0m \u009b2J \u202eltr <b>bold</b>";

beforeAll(async () => {
  const run = (words: string[], input = "") => runCommand(words, { env: onStore, input });
  const token = await seedStore(run);
  for (const name of ["Potomac Roofing", hostile])
    await run(["customers", "create", "--location", "1", "--body", "-"], customerBody(name));
  await run(["hooks", "delete", "1", "--yes"]);
  ({ end, env: onServer } = await serveStore(onStore.DISPATCH_DATA, token));
});

afterAll(() => end());

describe.each(["a store", "a server"])("find on %s", (target) => {
  const run = (words: string[]): Promise<CommandResult> =>
    runCommand(["find", ...words], { env: target === "a store" ? onStore : onServer });

  it("shows the best with what can be done next, at a location by its name", async () => {
    const { code, stdout } = await run(["potmac", "--location", "main"]);
    expect(code).toBe(0);
    expect(stdout).toContain("customer 2 Potomac Roofing");
    expect(stdout).toContain('jobs create --customer "Potomac Roofing" --location main --type drop-off');
  });

  it("ends with 5 when nothing is called so, in each form, and names the nearest", async () => {
    const { code, stderr, stdout } = await run(["potomac", "qqqqq"]);
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toContain("Nearest: customer 2 Potomac Roofing.");
    const json = await run(["qqqqq", "-o", "json"]);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([5, { nearest: [], results: [] }]);
  });

  it("refuses what is no question: nothing, too much, another kind", async () => {
    expect(await run([])).toMatchObject({ code: 2 });
    expect(await run([""])).toMatchObject({ code: 2 });
    expect(await run(Array.from({ length: 10_000 }, () => "word"))).toMatchObject({ code: 2 });
    expect(await run(["potomac", "--kind", "asset"])).toMatchObject({ code: 2 });
  });

  it("shows hostile names as text: nothing of them acts on a terminal", async () => {
    const { code, stdout } = await run(["evil", "red"]);
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

it("on a terminal the key j makes a job for the customer that was found", async () => {
  const { code, stdout } = await typeCommand(
    ["find", "potomac"],
    onStore,
    [
      ["j makes a job for Potomac Roofing", "j"],
      ["drop-off", keys.enter],
      ["schedule_date (", keys.enter],
    ],
    true,
  );
  expect(code).toBe(0);
  expect(stdout).toContain("Job 3");
});
