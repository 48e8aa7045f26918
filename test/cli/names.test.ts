import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { keys, typeCommand } from "../support/typed-command.ts";

const folder = useTempFolder();
const onStore = { DISPATCH_DATA: join(folder, "store.db"), DISPATCH_CONFIG: join(folder, "config") };
let onServer: Record<string, string>;
let end: () => Promise<void>;

const address = (line1: string) => ({
  ...{ country: "US", is_billing: true, is_shipping: true, latitude: 1, line_1: line1, locality: "Tacoma" },
  ...{ longitude: 2, postcode: "1", region: "WA" },
});

beforeAll(async () => {
  const onFirst = (words: string[], input = "") => runCommand(words, { env: onStore, input });
  const token = await seedStore(onFirst);
  await onFirst(["hooks", "delete", "1", "--yes"]);
  const create = (location: string, body: object) =>
    onFirst(["customers", "create", "--location", location, "--body", "-"], JSON.stringify(body));
  const contacts = [{ name: "Dana Reyes", number: "(202) 555-0188" }];
  await create("1", { name: "Potomac Roofing", addresses: [address("9 Dock Road")], contacts });
  await create("1", {
    name: "Potomac Homes",
    addresses: [address("1 Elm Street"), address("2 Oak Street")],
    contacts: [],
  });
  await onFirst(["locations", "create", "--name", "North"]);
  await create("2", {
    name: "Dana's Diner",
    addresses: [address("3 Pike Street")],
    contacts: [],
    reference_number: "A-77",
  });
  for (const name of ["Truck 70", "Old 7"])
    await onFirst(["trucks", "create", "--location", "2", "--name", name]);
  await onFirst(["jobs", "update", "2", "--reference-number", "8800123"]);
  await onFirst(["drivers", "create", "--location", "1", "--name", "Pat Moreno"]);
  await onFirst([
    "users",
    "create",
    "--username",
    "u-Dispatcher",
    "--roles",
    "Dispatcher",
    "--location",
    "1",
  ]);
  const asPat = ["--roles", "Driver", "--location", "1", "--driver", "Pat Moreno"];
  await onFirst(["users", "create", "--username", "pat.moreno", ...asPat]);
  ({ end, env: onServer } = await serveStore(onStore.DISPATCH_DATA, token));
});

afterAll(() => end());

describe.each(["a store", "a server"])("names on %s", (target) => {
  const run = (words: string[], more: Record<string, string> = {}): Promise<CommandResult> =>
    runCommand(words, { env: { ...(target === "a store" ? onStore : onServer), ...more } });
  const shown = async (...words: string[]) => JSON.parse((await run([...words, "-o", "json"])).stdout);

  it.each([
    ["customers", "potomac roofing", "Potomac Roofing"],
    ["customers", "roofing", "Potomac Roofing"],
    ["customers", "202.555.0188", "Potomac Roofing"],
    ["customers", "5550188", "Potomac Roofing"],
    ["customers", "dana reyes", "Potomac Roofing"],
    ["customers", "9 dock", "Potomac Roofing"],
    ["customers", "a-77", "Dana's Diner"],
    ["trucks", "truck 70", "Truck 70"],
    ["trucks", "truck 7", "Truck 7"],
    ["trucks", "old", "Old 7"],
    ["locations", "NOR", "North"],
  ])("%s get %j means %s", async (noun, words, name) => {
    expect(await shown(noun, "get", words)).toMatchObject({ name });
  });

  it("are confirmed with the record found, except next to data for programs", async () => {
    const { stderr } = await run(["trucks", "get", "truck 70", "--fields", "name"]);
    expect(stderr).toMatch(/^truck 2 Truck 70$/m);
    expect((await run(["trucks", "get", "truck 70", "-o", "json"])).stderr).toBe("");
  });

  it("of several records are listed, and none is used", async () => {
    const { code, stderr, stdout } = await run(["customers", "get", "potomac"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(
      "3 Potomac Homes (1 Elm Street, Tacoma, WA 1); 2 Potomac Roofing (9 Dock Road, Tacoma, WA 1)",
    );
  });

  it("without a match exit with 5, and suggest the nearest", async () => {
    const { code, stderr } = await run(["customers", "get", "potomak roofing"]);
    expect(code).toBe(5);
    expect(stderr).toContain('There is no customer "potomak roofing". Closest: 2 Potomac Roofing');
  });

  it("whose words are only inside other words, or split over texts, change nothing", async () => {
    for (const words of ["otom fin", "oto roof", "dana do"]) {
      const job = ["jobs", "create", "--location", "1", "--customer", words, "--type", "D"];
      const { code, stderr, stdout } = await run(job);
      expect([words, code, stdout]).toEqual([words, 5, ""]);
      expect(stderr).toContain(`There is no customer "${words}". Closest: 2 Potomac Roofing`);
      expect(stderr).toContain(`Create it with \`dispatch-cli customers create --name "${words}"\`.`);
    }
    const truck = await run(["jobs", "update", "1", "--location", "1", "--truck", "ruck"]);
    expect([truck.code, truck.stderr]).toEqual([5, expect.stringContaining("Closest: 1 Truck 7")]);
  });

  it("match drivers and users for a person, but not by a fragment inside a word", async () => {
    const completed = (by: string) =>
      run(["jobs", "complete", "1", "--location", "1", "--completed-by", by, "--dry-run"]);
    for (const words of ["pat", "Pat Moreno", "moreno"])
      expect(await completed(words)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(`Pat Moreno`),
      });
    expect(await completed("dispatch")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("u-Dispatcher"),
    });
    expect(await completed("spat")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('There is no user or driver "spat".'),
    });
  });

  it("a contact name never ranks above the start of a customer name", async () => {
    const { code, stderr } = await run(["customers", "get", "dana"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("customer 4 Dana's Diner")]);
  });

  it("determine the location of the record, for digits and for names", async () => {
    expect(await shown("jobs", "get", "1")).toMatchObject({ id: 1, location_id: 1 });
    expect(await shown("addresses", "get", "2")).toMatchObject({ line_1: "9 Dock Road" });
    expect((await run(["jobs", "get", "99"])).stderr).toContain("There is no job 99.");
  });

  it("match an id first if they are digits, otherwise a number of a record", async () => {
    expect(await shown("customers", "get", "2")).toMatchObject({ id: 2 });
    expect(await shown("jobs", "get", "8800123")).toMatchObject({ id: 2 });
  });

  it("work in filters, bodies and --location, as users type them", async () => {
    const list = await shown("jobs", "list", "--truck", "truck 7", "--location", "main");
    expect(list.results).toMatchObject([{ id: 1, truck_id: 1 }]);
    const job = ["jobs", "create", "--customer", "potomac roofing", "--type", "D", "--dry-run"];
    expect(await shown(...job)).toMatchObject({ address_id: 2, location_id: 1, requested_by: 2 });
    expect((await shown("jobs", "list", "--customer", "bączek")).total_count).toBe(2);
    const exported = await run(toWords("export jobs --truck 'truck 7' --location main --fields id"));
    expect([exported.code, exported.stdout]).toEqual([0, '{"id":1}\n']);
    const homes = ["jobs", "create", "--customer", "homes", "--address", "2 oak", "--type", "D", "--dry-run"];
    expect(await shown(...homes)).toMatchObject({ address_id: 4, requested_by: 3 });
  });

  it("without a location, the variable or the only location applies; otherwise all matches are listed", async () => {
    const refused = await run(["trucks", "list"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("1 (Main yard), 2 (North)")]);
    const north = await run(["trucks", "list", "-q"], { DISPATCH_LOCATION: "north" });
    expect(north.stdout).toBe("2\n3\n");
    const me = await run(["whoami", "-o", "json"], { DISPATCH_LOCATION: "north" });
    expect(JSON.parse(me.stdout)).toMatchObject({
      location: 2,
      location_name: "North",
      location_source: "DISPATCH_LOCATION",
    });
  });

  it("work for the tenant too", async () => {
    expect((await run(["whoami", "-o", "json", "--tenant", "acme"])).code).toBe(0);
    expect((await run(["whoami", "--tenant", "nobody"])).code).not.toBe(0);
  });
});

it("a user at a terminal chooses between several matches", async () => {
  const line = ["customers", "get", "potomac", "-o", "json"];
  const { code, stdout } = await typeCommand(line, onStore, [
    ['Which customer is "potomac"?', keys.down],
    ["❯ Potomac Roofing", keys.enter],
  ]);
  expect([code, JSON.parse(stdout).name]).toEqual([0, "Potomac Roofing"]);
});

it("a profile stores the location", async () => {
  const at = (words: string) =>
    runCommand(words.split(" "), { env: { DISPATCH_CONFIG: onStore.DISPATCH_CONFIG } });
  await at(`profiles add north --data ${onStore.DISPATCH_DATA} --location North`);
  expect((await at("trucks list -q --profile north")).stdout).toBe("2\n3\n");
});
