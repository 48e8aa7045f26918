import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { keys, typeCommand } from "../support/typed-command.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (...words: string[]) => runCommand(words, { env });

beforeAll(async () => {
  await run("init", "--tenant", "Acme", "--location", "Main yard");
  await run("customers", "create", "--name", "Potomac", "--contact", "[]", "--address", office);
});

const office = "1745 T St SE, Washington DC 20020";
const officeFields = {
  ...{ country: "US", line_1: "1745 T St SE", locality: "Washington", postcode: "20020", region: "DC" },
  ...{ latitude: 38.86, longitude: -76.979 },
};

describe("an address in one line", () => {
  it.each([
    ["a line", office],
    ["everyday words", "street=1745 T St SE,city=Washington,state=DC,zip=20020"],
  ])("creates a customer: %s", async (_, address) => {
    const words = ["customers", "create", "--name", "Ada", "--contact", "[]", "--address", address];
    const { stdout } = await run(...words, "--dry-run", "-o", "json");
    expect(JSON.parse(stdout).addresses).toMatchObject([
      { ...officeFields, is_billing: true, is_shipping: true },
    ]);
    const { stderr } = await run(...words, "--dry-run");
    expect(stderr).toContain(
      "address: 1745 T St SE, Washington, DC 20020, US, also for billing; position about 38.86, -76.979, from ZIP 20020",
    );
  });

  it("says that its ZIP is in another state", async () => {
    const words = ["customers", "create", "--name", "Ada", "--contact", "[]", "--dry-run", "--address"];
    const { code, stderr } = await run(...words, "1745 T St SE, Washington DC 90210");
    expect(code).toBe(0);
    expect(stderr).toContain("; check the ZIP: 90210 is in CA, not DC");
  });

  it("adds an address, and options of fields override the line", async () => {
    const line = ["addresses", "add", "--customer", "Potomac", "--address", office, "--zip", "20002"];
    const { stdout } = await run(...line, "--street", "9 Elm St", "--dry-run", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ is_billing: false, is_shipping: true, latitude: 38.905, line_1: "9 Elm St", postcode: "20002" },
    });
  });

  it("moves an address with its position, and keeps its use for billing and shipping", async () => {
    const line = [
      "addresses",
      "update",
      "1",
      "--customer",
      "Potomac",
      "--dry-run",
      "-o",
      "json",
      "--address",
    ];
    const { stdout } = await run(...line, "9 Elm St, Washington DC 20002");
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ is_billing: true, is_shipping: true, latitude: 38.905, line_1: "9 Elm St", postcode: "20002" },
    });
    expect((await run(...line, "9 Elm St 20020")).stderr).toContain("has no city (locality)");
    for (const job of [
      ["--customer", "Potomac"],
      ["-n", "Ida Moss"],
    ]) {
      const create = ["jobs", "create", "--type", "D", "--schedule-date", "mon", ...job];
      create.push("--address", "9 Elm St, Washington DC");
      expect((await run(...create)).stderr).toContain('"9 Elm St, Washington DC" has no zip (postcode).');
      const { code, stderr } = await typeCommand(create, env, [["zip (", `20002${keys.enter}`]]);
      expect([code, stderr]).toEqual([0, expect.stringContaining("9 Elm St, Washington, DC 20002")]);
      expect(stderr).not.toContain("? city");
    }
  });

  it("creates a new caller and the job in one command", async () => {
    const line = ["jobs", "create", "--type", "D", "--address", office, "--phone", "202-555-0142"];
    const wrong = await run(...line, "--new-customer", "Bo Lin", "--truck", "none such");
    expect([wrong.code, (await run("find", "Bo Lin")).code]).toEqual([5, 5]);
    const { code, stderr } = await run(...line, "--new-customer", "Bo Lin");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/customer \d+ Bo Lin, new; 1745 T St SE/)]);
    const { stdout } = await run("jobs", "list", "--customer", "Bo Lin", "-o", "json");
    expect(JSON.parse(stdout).results).toMatchObject([
      { customer: { contacts: [{ number: "202-555-0142" }], name: "Bo Lin", addresses: [officeFields] } },
    ]);
    expect(await run(...line, "--new-customer", "bo lin")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/There is a customer \d+ Bo Lin.*Use --customer \d+/s),
    });
    expect((await run(...line, "--customer", "Bo Lin")).stderr).toContain("--phone needs --new-customer.");
  });

  it("asks for the name of a caller that has none", async () => {
    expect(await run("jobs", "create", "-n", "", "-a", office)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--new-customer has no name."),
    });
  });

  it("shows the phone number of a caller in groups, and keeps it as typed", async () => {
    await run("jobs", "create", "-n", "Al Moe", "-p", "2025550149", "-a", office);
    for (const words of [
      ["find", "al moe"],
      ["customers", "get", "al moe"],
    ])
      expect((await run(...words)).stdout).toContain("(202) 555-0149");
    expect((await run("customers", "get", "al moe", "-o", "json")).stdout).toContain('"number":"2025550149"');
  });

  it("shows a caller's order in a dry run, and stores neither", async () => {
    const line = ["jobs", "create", "-n", "Kim Dee", "-p", "2025550148", "-a", office, "--dry-run"];
    expect(await run(...line)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/customer Kim Dee, new; 1745 T St SE.*dry run: nothing was stored/s),
      stdout: expect.stringContaining("Drop-off for Kim Dee, 1745 T St SE"),
    });
    expect((await run("find", "kim dee")).code).toBe(5);
    expect(await run(...line, "--truck", "none such")).toMatchObject({ code: 5 });
  });

  it("creates no caller for a job that is refused", async () => {
    const line = ["jobs", "create", "-n", "Eve Ray", "-a", office];
    for (const wrong of [
      ["--desired-start-time", "5-7"],
      ["--asset-quantity", "-1"],
      ["--truck", "none such"],
      ["--driver-id", "99"],
      ["--completed", "--is-failed"],
    ])
      expect([wrong, (await run(...line, ...wrong)).code === 0]).toEqual([wrong, false]);
    expect((await run("find", "Eve Ray")).code).toBe(5);
  });

  it("takes a caller's order in at most 90 keystrokes", async () => {
    const keystrokes = 'jobs create -n "Ed Day" -p 2025550143 -a "1745 T St SE Washington 20020"';
    expect(`dispatch-cli ${keystrokes}\r`.length).toBeLessThanOrEqual(90);
    const { code, stdout } = await run(...toWords(keystrokes));
    expect([code, stdout]).toEqual([0, expect.stringContaining("Drop-off for Ed Day, 1745 T St SE")]);
    const placed = await run(
      "jobs",
      "create",
      "--location",
      "1",
      "-n",
      "Al Day",
      "-a",
      office,
      "--type",
      "L",
    );
    expect(placed).toMatchObject({ code: 0, stdout: expect.stringContaining("for Al Day") });
  });

  it("gives a location an approximate position", async () => {
    const { stdout } = await run(
      "locations",
      "create",
      "--name",
      "North",
      "--address",
      office,
      "--dry-run",
      "-o",
      "json",
    );
    const { country: _, ...fields } = officeFields;
    expect(JSON.parse(stdout).address).toMatchObject(fields);
  });

  it("takes the position of the location for an unknown ZIP, and refuses without one", async () => {
    const line = ["addresses", "add", "--customer", "Potomac", "--address", "9 Oak St, Boston MA 02000"];
    expect(await run(...line)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The position of 02000 is not known, and Main yard has none"),
    });
    await run("locations", "update", "1", "--address", "latitude=38.9,longitude=-77");
    const { stdout } = await run(...line, "--dry-run", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({ latitude: 38.9, longitude: -77 });
  });

  it.each([
    ["nonsense", 'Write it like "1745 T St SE, Washington DC 20020", or field by field: street (line_1)'],
    ["9 Elm St 20020", "has no city (locality)"],
  ])("refuses %s with what it needs", async (address, message) => {
    const words = ["customers", "create", "--name", "Ada", "--contact", "[]", "--address", address];
    expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("asks at a terminal for the parts that the line lacks", async () => {
    const words = ["customers", "create", "--name", "Ada", "--contact", "[]", "--address", "9 Elm St 20020"];
    const { stdout } = await typeCommand([...words, "-o", "json", "--dry-run"], env, [
      ["city (", `Washington${keys.enter}`],
    ]);
    expect(JSON.parse(stdout).addresses).toMatchObject([{ latitude: 38.86, locality: "Washington" }]);
  });

  it("asks for the address in one line when it is missing", async () => {
    const words = ["addresses", "add", "--customer", "Potomac", "-o", "json", "--dry-run"];
    const { stdout } = await typeCommand(words, env, [["address (in one line", `${office}${keys.enter}`]]);
    expect(JSON.parse(stdout)).toMatchObject(officeFields);
  });
});

describe("the address of a new job", () => {
  const job = ["jobs", "create", "--location", "1", "--customer", "Potomac", "--type", "D", "-o", "json"];
  const addressOf = (stdout: string) => (JSON.parse(stdout) as { address_id: number }).address_id;

  it("is an address of the customer, or a new one", async () => {
    const known = await run(...job, "--address", "1745 T St. SE, Washington, DC 20020");
    expect(addressOf(known.stdout)).toBe(1);
    const line = ["--address", "12 Dock Rd, Baltimore MD 21230"];
    const dry = await run(...job, ...line, "--dry-run");
    expect(dry).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Without --dry-run the command adds"),
    });
    const added = addressOf((await run(...job, ...line)).stdout);
    expect(added).not.toBe(1);
    expect(addressOf((await run(...job, ...line)).stdout)).toBe(added);
    const { stdout } = await run("addresses", "get", String(added), "--customer", "Potomac", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({ is_billing: false, latitude: 39.268, line_1: "12 Dock Rd" });
  });
});

describe("the route to approximate positions", () => {
  it("marks the stops, and has no distance without the position of the yard", async () => {
    await run("locations", "create", "--name", "Bare yard");
    const at = ["--location", "Bare yard"];
    await run("trucks", "create", ...at, "--name", "Truck 7");
    const zipCenter = ["--name", "Elm Bakery", "--contact", "[]", "--address", "9 Elm St, Boston MA 02118"];
    await run("customers", "create", ...at, ...zipCenter);
    const job = ["--customer", "Elm Bakery", "--type", "D", "--truck", "Truck 7"];
    await run("jobs", "create", ...at, ...job, "--schedule-date", "2099-12-01");
    const route = ["jobs", "route", "Truck 7", "2099-12-01"];
    const bare = await run(...route);
    expect(bare.stdout).toContain(
      "1 stop. A distance needs the position of Bare yard: `dispatch-cli locations",
    );
    expect(bare.stdout).toContain("~9 Elm St, Boston");
    expect(bare.stdout).not.toContain(" mi");
    expect(JSON.parse((await run(...route, "-o", "json")).stdout).kilometers).toBeNull();
    await run("locations", "update", "Bare yard", "--address", "1 Beacon St, Boston MA 02108");
    expect((await run(...route)).stdout).toMatch(/: 1 stop, ~\d\.\d mi now, ~\d\.\d mi in this order/);
  });
});
