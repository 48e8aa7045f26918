import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import { createJobWords, customerBody, seedStore } from "../support/seed-store.ts";
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
  const create = (body: string) => run(["customers", "create", "--location", "1", "--body", "-"], body);
  for (const line of ["1 A St", "2 B St"])
    await create(customerBody("Twin Homes").replace("1 Main St", line));
  await create(
    customerBody("Billed Alone")
      .replace("1 Main St", "5 Desk Lane")
      .replace('"is_shipping":true', '"is_shipping":false'),
  );
  await run([...createJobWords, "--reference-number", "PO-9", "--schedule-date", "tomorrow"]);
  await run(["hooks", "delete", "1", "--yes"]);
  ({ end, env: onServer } = await serveStore(onStore.DISPATCH_DATA, token));
});

afterAll(() => end());

describe.each(["a store", "a server"])("find on %s", (target) => {
  const run = (words: string[]): Promise<CommandResult> =>
    runCommand(["find", ...words], { env: target === "a store" ? onStore : onServer });

  it("shows the best matches with the next commands, at a location by its name", async () => {
    const { code, stdout } = await run(["potmac", "--location", "main"]);
    expect(code).toBe(0);
    expect(stdout).toContain("customer 2 Potomac Roofing");
    expect(stdout).toContain('jobs create --customer "Potomac Roofing" --location main --type drop-off');
  });

  it("suggests unambiguous names, otherwise ids, and an address only where it is required", async () => {
    const next = async (...words: string[]) =>
      /^ {2}dispatch-cli (.*)$/m.exec((await run(words)).stdout)?.[1];
    expect(await next("twin homes")).toBe("jobs create --customer 4 --type drop-off");
    expect(await next("billed alone")).toBe(
      'jobs create --customer "Billed Alone" --address "5 Desk Lane" --type drop-off',
    );
    expect(await next("truck 7")).toBe('day print --truck "Truck 7" --out truck-7.pdf');
    expect(await next("PO-9")).toBe("jobs get PO-9");
  });

  it("shows job times in words, and the date only once", async () => {
    const { stdout } = await run(["PO-9"]);
    expect(stdout).toMatch(/^ {2}When {5}tomorrow · unassigned$/m);
  });

  it("exits with 5 when nothing matches, in each format, and suggests the nearest names", async () => {
    const { code, stderr, stdout } = await run(["potomac", "qqqqq"]);
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toContain("Closest: customer 2 Potomac Roofing.");
    const json = await run(["qqqqq", "-o", "json"]);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([5, { nearest: [], results: [], total_count: 0 }]);
  });

  it("refuses an invalid query: empty, too long, or of an unknown kind", async () => {
    expect(await run([])).toMatchObject({ code: 2, stderr: expect.stringContaining("`find` needs words.") });
    expect(await run([""])).toMatchObject({ code: 2 });
    expect(await run(Array.from({ length: 10_000 }, () => "word"))).toMatchObject({ code: 2 });
    expect(await run(["potomac", "--kind", "asset"])).toMatchObject({ code: 2 });
  });

  it("shows hostile names as text that cannot control a terminal", async () => {
    const { code, stdout } = await run(["evil", "red"]);
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain them.
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

it("on a terminal j creates a job for the customer that find returned", async () => {
  const { code, stdout } = await typeCommand(
    ["find", "potomac"],
    onStore,
    [
      ["Press j to create a job for Potomac Roofing", "j"],
      ["drop-off", keys.enter],
      ["schedule_date (", keys.enter],
    ],
    true,
  );
  expect(code).toBe(0);
  expect(stdout).toContain("Job 4");
});
