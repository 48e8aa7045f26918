import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { keys, type Typing, typeCommand } from "../support/typed-command.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (line: string) => runCommand(line.split(" "), { env });
const type = (line: string, typings: Typing[], more: Record<string, string> = {}) =>
  typeCommand(line.split(" "), { ...env, ...more }, typings);

const countJobs = async () => JSON.parse((await run("jobs list -o json")).stdout).total_count as number;

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
  await run("hooks delete 1 --yes");
  await run("locations create --name North");
  await runCommand(["customers", "create", "--location", "1", "--name", "Potomac Roofing", "--body", "-"], {
    env,
    input: JSON.stringify({
      contacts: [],
      addresses: ["1745 T Street", "9 Dock Road"].map((line_1) => ({
        ...{ country: "US", is_billing: true, is_shipping: true, latitude: 1, longitude: 2 },
        ...{ line_1, locality: "Washington", postcode: "20020", region: "DC" },
      })),
    }),
  });
});

describe("on a terminal", () => {
  it("a job is created by choices, from its location to its date, with the customer before the address", async () => {
    const { code, stdout, stderr } = await type("jobs create -o json", [
      ["Main yard", keys.enter],
      ["customer (type to search)", "roof"],
      ["❯ Potomac Roofing", keys.enter],
      ["address (type to search)", keys.down],
      ["❯ 9 Dock Road", keys.enter],
      ["drop-off", keys.down],
      ["❯ E  exchange", keys.enter],
      ["schedule_date (", `soon${keys.enter}`],
      ["is not a time", `${"\u007f".repeat(4)}2026-12-24${keys.enter}`],
    ]);
    expect([code, stderr.includes("? type")]).toEqual([0, true]);
    expect(JSON.parse(stdout)).toMatchObject({
      address_id: 3,
      customer_id: 2,
      location_id: 1,
      schedule_date: "2026-12-24T00:00:00.000000",
      type: "E",
    });
  });

  it("an unknown caller becomes a customer with few questions, and gets the job", async () => {
    const { code, stdout, stderr } = await type("jobs create -o json --location 1 --type P", [
      ["customer (type to search)", "Q"],
      ["❯ new customer", keys.enter],
      ["name (", `Corner Bakery${keys.enter}`],
      ["phone (", `555-0177${keys.enter}`],
      ["contact (", `Finn${keys.enter}`],
      ["address (in one line", `9 Elm St, Washington${keys.enter}`],
      ["state (", `DC${keys.enter}`],
      ["zip", `20020${keys.enter}`],
      ["schedule_date (", keys.enter],
    ]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("position about 38.86, -76.979, from ZIP 20020"),
    ]);
    expect(JSON.parse(stdout).customer).toMatchObject({
      addresses: [{ country: "US", is_shipping: true, line_1: "9 Elm St", postcode: "20020" }],
      contacts: [{ name: "Finn", number: "555-0177" }],
      name: "Corner Bakery",
    });
    const dry = await type("jobs create -o json --location 1 --type P --dry-run", [
      ["customer (type to search)", "Q"],
      ["No results", keys.ctrlC],
    ]);
    expect([dry.code, dry.stderr.includes("new customer")]).toEqual([130, false]);
  });

  it("the command does not ask for given values, or for the only existing record", async () => {
    const { code, stdout } = await type("jobs create --requested-by 1 --type P -o json --location 1", [
      ["schedule_date (", keys.enter],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ address_id: 1, schedule_date: null });
  });

  it("a job without a date causes a question for it, and Enter skips it", async () => {
    const line = "jobs create --location 1 --requested-by 1 --address-id 1 --type P -o json";
    const dated = await type(line, [["schedule_date (", `2026-12-24${keys.enter}`]]);
    expect(JSON.parse(dated.stdout)).toMatchObject({ schedule_date: "2026-12-24T00:00:00.000000" });
    const none = await type(line, [["schedule_date (", keys.enter]]);
    expect(JSON.parse(none.stdout)).toMatchObject({ schedule_date: null });
    expect(await type(`${line} --no-input`, [])).toMatchObject({ code: 0 });
  });

  it("a truck is chosen once for several jobs", async () => {
    const { code, stdout } = await type("jobs assign 1 2", [["Main yard", keys.enter]]);
    expect([code, stdout]).toEqual([0, "Job 1 → Truck 7, Tue Dec 1\nJob 2 → Truck 7\n"]);
  });

  it("the command judges a date by the clock of the store, which a sandbox moves", async () => {
    const sandbox = ["--data", `${env.DISPATCH_DATA}.sandbox`];
    for (const line of [
      "init --sandbox",
      "users create --location 1 --username drew --roles Driver",
      "drivers create --location 1 --name Drew --username drew",
      "users update 2 --location 1 --driver-id 3",
      "clock set 2001-02-03",
    ])
      expect(await runCommand([...line.split(" "), ...sandbox])).toMatchObject({ code: 0 });
    const { code } = await typeCommand(["gps", "record", "--as", "drew", ...sandbox], env, [
      ["timestamp (", `2001-02-04${keys.enter}`],
      ["must not be later than now", `\u007f3${keys.enter}`],
    ]);
    expect(code).toBe(0);
  });

  it("Ctrl-C exits with 130, and nothing is stored", async () => {
    const before = await countJobs();
    const { code, stdout } = await type("jobs create --location 1 --type P", [
      ["customer (type to search)", "potomac"],
      ["❯ Potomac", keys.enter],
      ["address (type to search)", keys.ctrlC],
    ]);
    expect([code, stdout, await countJobs()]).toEqual([130, "", before]);
  });

  it("the command reports that there is nothing to choose from", async () => {
    const { code, stderr } = await type("drivers update 1 --location 1 --dry-run", []);
    expect(code).not.toBe(0);
    expect(stderr).not.toContain("choose");
    const assign = await type("jobs assign 1 --location 2", []);
    expect(assign).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("No truck to choose from"),
    });
  });

  it("a dangerous command shows its records and its tenant, and no is the default", async () => {
    const { code, stderr } = await type("jobs delete 1 2 --location 1", [["(y/N)", keys.enter]]);
    expect(code).not.toBe(0);
    expect(stderr.replaceAll("\n", "")).toContain("1 Main St, Łódź) in");
    expect(stderr).toContain("tenant 1 (Acme)");
    const answer = await type("jobs delete 1 2 --location 1", [["(y/N)", `y${keys.enter}`]]);
    expect(answer).toMatchObject({ code: 0, stdout: "Job 1 deleted\nJob 2 deleted\n" });
  });

  it.each([
    ["jobs create --no-input", {}],
    ["jobs create", { CI: "true" }],
  ])("%s with %j asks nothing, and names all missing values", async (line, more) => {
    expect(await type(line, [], more as Record<string, string>)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /Missing: --address \(--address-id\), --customer \(--requested-by\), --type/,
      ),
    });
  });

  it("the command asks for a customer in the order in which people say it", async () => {
    const { code, stdout } = await type("customers create --location 1 --dry-run -o json", [
      ["name (", `Ada${keys.enter}`],
      ["Add addresses?", `y${keys.enter}`],
      ["address (in one line", keys.enter],
      ["street (", `1 Elm St${keys.enter}`],
      ["city (", `Reno${keys.enter}`],
      ["state (", `NV${keys.enter}`],
      ["zip", `89501${keys.enter}`],
      ["Add more addresses?", keys.enter],
      ["Add contacts?", keys.enter],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      addresses: [
        { country: "US", is_billing: true, is_shipping: true, latitude: 39.526, line_1: "1 Elm St" },
      ],
      name: "Ada",
    });
  });
});
