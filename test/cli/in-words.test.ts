import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { type ServedStore, serveStore } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const onStore = { DISPATCH_DATA: data, NO_COLOR: "1" };
let served: ServedStore;
let onServer: Record<string, string>;

const at = (env: Record<string, string>, columns?: number) => async (line: string, input?: string) => {
  const setting = { env, ...(columns !== undefined && { columns }), ...(input !== undefined && { input }) };
  return runCommand(line.split(" "), setting);
};

const address = {
  ...{ country: "US", is_billing: true, is_shipping: true, latitude: 38.8, line_1: "1745 T Street SE" },
  ...{ locality: "Washington", longitude: -76.9, postcode: "20020", region: "DC" },
};
const body = JSON.stringify({
  addresses: [address],
  contacts: [{ name: "Dana", number: "555-0100" }],
  name: "Potomac Roofing",
});

beforeAll(async () => {
  const run = at(onStore);
  await run("init --tenant Acme --location Yard --time-zone America/Denver");
  await run("locations update 1 --pickup-name Abholung");
  await runCommand(["trucks", "create", "--location", "1", "--name", "Truck 7"], { env: onStore });
  await runCommand(["drivers", "create", "--location", "1", "--name", "Pat"], { env: onStore });
  const { stdout } = await run("tokens create --username owner -o json");
  served = await serveStore(data);
  onServer = { DISPATCH_TOKEN: (JSON.parse(stdout) as { token: string }).token, DISPATCH_URL: served.url };
});
afterAll(() => served.end());

const times = "--desired-start-time 2099-08-03T14:00:00Z --desired-end-time 2099-08-03T16:00:00Z";
const job = `jobs create --location 1 --type P --schedule-date 2099-08-03 ${times}`;

describe.each([
  { name: "a store", env: () => onStore },
  { name: "a server", env: () => onServer },
])("on $name", ({ env }) => {
  it("a write prints one line, with the name of the record", async () => {
    const run = at(env());
    const made = await run("customers create --location 1 --body - --max-address-edit-distance 0", body);
    const customer = Number(/^Customer (\d+) Potomac Roofing created/.exec(made.stdout)?.[1]);
    expect(made.stdout).toBe(`Customer ${customer} Potomac Roofing created: 1745 T Street SE, Washington\n`);
    const created = await run(`${job} --requested-by ${customer} --address-id ${customer}`);
    const id = Number(/^Job (\d+) /.exec(created.stdout)?.[1]);
    expect(created.stdout).toBe(
      `Job ${id} created: Abholung for Potomac Roofing, 1745 T Street SE, Washington, Mon Aug 3 2099 8:00–10:00 am\n`,
    );
    const tell = async (line: string) => (await run(line)).stdout;
    expect(await tell(`jobs assign ${id} --location 1 --truck-id 1`)).toBe(
      `Job ${id} → Truck 7, Mon Aug 3 2099 8:00–10:00 am (was unassigned)\n`,
    );
    expect(await tell(`jobs unassign ${id} --location 1`)).toContain(`Job ${id} unassigned`);
    expect(await tell(`jobs update ${id} --location 1 --dispatcher-notes Gate`)).toBe(
      `Job ${id}: dispatcher notes – → Gate\n`,
    );
    expect(await tell(`jobs fail ${id} --location 1 --fail-reason Locked`)).toBe(
      `Job ${id} failed: Locked\n`,
    );
    const completed = await tell(`jobs update ${id} --location 1 --is-failed false --is-completed true`);
    expect(completed).toMatch(new RegExp(`^Job ${id} completed \\d+:\\d\\d [ap]m by owner\\n$`));
    expect(await tell(`jobs delete ${id} --location 1 --yes`)).toBe(`Job ${id} deleted\n`);
    await tell(`customers update ${customer} --name Moved${customer}`);
  });

  it("an operation without its own sentence prints the changed fields", async () => {
    const run = at(env());
    const tell = async (line: string) => (await run(line)).stdout;
    expect(await tell("trucks update 1 --location 1 --driver-id 2 --weight 900")).toBe(
      "Truck 7: driver – → Pat, weight – → 900\n",
    );
    expect(await tell("trucks update 1 --location 1 --out-of-service")).toBe("Truck 7 out of service\n");
    expect(await tell("trucks update 1 --location 1 --out-of-service")).toBe("Truck 7: nothing changed\n");
    const undone = await runCommand(["trucks", "update", "1", "--location", "1", "--body", "-"], {
      env: env(),
      input: '{"driver_id":null,"weight":null,"out_of_service":false}',
    });
    expect(undone.stdout).toBe("Truck 7: driver Pat → –, in service again, weight 900 → –\n");
  });

  it("the record is printed with --show, --fields, --quiet and in every other format; a secret is always shown", async () => {
    const run = at(env());
    const shown = await run("trucks update 1 --location 1 --notes x --show");
    expect(shown.stdout).toMatch(/^Truck 7\n/);
    expect((await run("trucks update 1 --location 1 --notes y --fields notes")).stdout).toBe("notes  y\n");
    expect((await run("trucks update 1 --location 1 --notes z -q")).stdout).toBe("1\n");
    const json = await run("trucks update 1 --location 1 --notes z -o json");
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 1, notes: "z" });
    expect((await run("tokens create --username owner")).stdout).toMatch(/token/);
  });
});

describe("tables and cards", () => {
  let id: number;
  beforeAll(async () => {
    const run = at(onStore);
    const made = await run(
      "customers create --location 1 --body - -o json",
      body.replace("Potomac", "Lister"),
    );
    const customer = JSON.parse(made.stdout) as { addresses: { id: number }[]; id: number };
    const words = `${job} --requested-by ${customer.id} --address-id ${customer.addresses[0]?.id} --truck-id 1`;
    id = (JSON.parse((await run(`${words} -o json`)).stdout) as { id: number }).id;
  });

  it("use names, the words and the time of the location, and name its zone once", async () => {
    const { stdout } = await at(onStore, 160)("jobs list");
    expect(stdout).toContain("when (Denver)");
    expect(stdout).toMatch(/Mon Aug 3 2099 8:00–10:00 am +Lister Roofing +Truck 7 +dispatched +Abholung/);
    const card = await at(onStore, 80)(`jobs get ${id} --location 1`);
    expect(card.stdout).toMatch(/^Job \d+\ncustomer .*Lister Roofing\ncontact .*555-0100, Dana\naddress /);
    expect(card.stdout).not.toMatch(/P\n|is_|–$|\bno\b/m);
    expect(card.stdout).toContain("(Denver)");
  });

  it("show times in API format with --utc, and every field with --all-fields", async () => {
    const { stdout } = await at(onStore, 160)("jobs list --utc");
    expect(stdout).toMatch(/when \(UTC\)(?:.|\n)*Mon Aug 3 2099 14:00–16:00/);
    const all = await at(onStore, 80)(`jobs get ${id} --location 1 --all-fields`);
    expect(all.stdout).toMatch(/^is_paid +no$/m);
    expect(all.stdout).toMatch(/^pickup_date +–$/m);
  });

  it("print csv and json values in words on request, and leave json unchanged otherwise", async () => {
    const csv = await at(onStore)(
      "jobs list --active --fields id,state,address,customer,truck,truck_id -o csv",
    );
    expect(csv.stdout).toContain(
      `${id},dispatched,"1745 T Street SE, Washington",Lister Roofing,Truck 7,1\r\n`,
    );
    const json = await at(onStore)(`jobs get ${id} --location 1 --fields state,customer.name,type -o json`);
    expect(JSON.parse(json.stdout)).toEqual({
      customer: { name: "Lister Roofing" },
      state: "dispatched",
      type: "P",
    });
    const listed = await at(onStore)("jobs list --active --fields state,customer,type -o json");
    const { results } = JSON.parse(listed.stdout) as { results: { customer: unknown }[] };
    expect(results).toContainEqual(expect.objectContaining({ state: "dispatched", type: "P" }));
    expect(results.every(({ customer }) => typeof customer === "object")).toBe(true);
    const exported = await at(onStore)("export jobs --fields state,truck -o csv --out -");
    expect(exported.stdout).toContain("dispatched,Truck 7\r\n");
  });

  it("of jobs have open jobs, on a terminal and in a pipe, and say so", async () => {
    const onTerminal = await at(onStore, 160)("jobs list");
    expect(onTerminal.stdout).not.toMatch(/completed|failed|deleted/);
    expect(onTerminal.stderr).toContain("open jobs only; --all-states shows all");
    const all = await at(onStore, 160)("jobs list --all-states");
    expect(all.stdout).toMatch(/deleted/);
    expect((await at(onStore, 160)("jobs list --deleted false")).stdout).toMatch(/deleted/);
    const piped = await at(onStore)("jobs list");
    expect(piped.stdout).not.toMatch(/completed|failed|deleted/);
    expect(piped.stderr).toContain("open jobs only; --all-states shows all");
    const ids = ({ stdout }: { stdout: string }) => stdout.match(/^ *\d+/gm)?.map(Number);
    expect(ids(await at(onStore)("jobs list -q"))).toEqual(ids(piped));
    expect((await at(onStore)("jobs list -o csv")).stdout).toMatch(/,true,/);
  });

  it("of one record are never paged", async () => {
    const startPager = async () => {
      throw new Error("A record needs no pager.");
    };
    const setting = { columns: 80, env: { ...onStore, PAGER: "less" }, rows: 4, startPager };
    const { code } = await runCommand(["jobs", "get", String(id), "--location", "1"], setting);
    expect(code).toBe(0);
  });
});
