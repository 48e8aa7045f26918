import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../../src/core/open-service.ts";
import { startServer } from "../../../src/http/serve.ts";
import { type CommandSetting, runCommand } from "../../support/command-line.ts";
import { createEmptyDatabase } from "../../support/postgres-database.ts";
import { useTempFolder } from "../../support/temp-folder.ts";

const folder = useTempFolder();
let made = 0;

function write(content: string, extension = "csv"): string {
  const file = join(folder, `${++made}.${extension}`);
  writeFileSync(file, content);
  return file;
}

type Env = Record<string, string>;

/** Creates a store with an owner and a Driver, reached in process or over HTTP. */
async function makeTarget(kind: "store" | "server"): Promise<{ env: Env; close: () => Promise<void> }> {
  const onStore = { DISPATCH_DATA: join(folder, `${kind}-${++made}.db`) };
  await runCommand(["init", "--tenant", "Acme", "--location", "Yard"], { env: onStore });
  if (kind === "store") return { env: onStore, close: async () => undefined };
  const { stdout } = await runCommand(["tokens", "create", "--username", "owner", "-o", "json"], {
    env: onStore,
  });
  const service = openService({ data: onStore.DISPATCH_DATA });
  const options = {
    delivers: false,
    host: "127.0.0.1",
    port: 0,
    log: { write() {} },
    logLevel: "silent",
  } as const;
  const server = await startServer(service, options);
  const close = async () => {
    await server.close();
    await service.store.close();
  };
  return { env: { DISPATCH_URL: server.url, DISPATCH_TOKEN: JSON.parse(stdout).token }, close };
}

const head =
  "reference_number,name,note,line_1,locality,region,postcode,country,latitude,longitude,contact_name";
const ada = "A-1,Ada,,1 Main St,Łódź,DC,20001,US,38.9,-77,Dana";
const bob = "B-2,Bob Ltd,Gate 4,2 Main St,Washington,DC,20002,US,38.9,-77,";

describe.each(["store", "server"] as const)("an import on a %s", (kind) => {
  let env: Env;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ env, close } = await makeTarget(kind));
  });
  afterAll(() => close());

  const run = (words: string[], setting: CommandSetting = {}) => runCommand(words, { env, ...setting });
  const json = async (line: string) => JSON.parse((await run(`${line} -o json`.split(" "))).stdout);
  const customers = async () => (await json("customers list --location 1")).results;
  const audited = async () => (await json("audit list")).total_count as number;
  const importing = async (noun: string, file: string, ...options: string[]) => {
    const { code, stdout, stderr } = await run(["import", noun, file, "--yes", "-o", "json", ...options]);
    expect(stdout, stderr).not.toBe("");
    const { created, updated, same, rejected } = JSON.parse(stdout);
    return [code, created, updated, same, rejected];
  };
  const planning = async (noun: string, file: string, ...options: string[]) => {
    const { code, stdout, stderr } = await run(["import", noun, file, "--plan", "-o", "json", ...options]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };

  it("creates customers with one address, billing and shipping, and a contact; the second run changes nothing", async () => {
    const file = write(`${head}\n${ada}\n${bob}\n`);
    expect(await importing("customers", file)).toEqual([0, 2, 0, 0, 0]);
    const [first, second] = await customers();
    expect(first).toMatchObject({ name: "Ada", note: null, reference_number: "A-1" });
    expect(first.addresses).toMatchObject([{ is_billing: true, is_shipping: true, locality: "Łódź" }]);
    expect(first.contacts).toMatchObject([{ name: "Dana" }]);
    expect(second.contacts).toMatchObject([{ name: null }]);
    const before = [await customers(), await audited()];
    expect(await importing("customers", file)).toEqual([0, 0, 0, 2, 0]);
    expect([await customers(), await audited()]).toEqual(before);
  });

  it("changes only differing fields of the customer, its record, its address and its contact, and keeps missing ones", async () => {
    const changed = "A-1,Ada Ltd,New note,3 Main St,,,,,,,Robin";
    const file = write(`${head}\n${changed}\n`);
    const plan = await planning("customers", file);
    expect(plan.rows).toEqual([
      {
        action: "update",
        changes: [
          { field: "name", before: "Ada", after: "Ada Ltd" },
          { field: "note", before: null, after: "New note" },
          { field: "line_1", before: "1 Main St", after: "3 Main St" },
          { field: "contact_name", before: "Dana", after: "Robin" },
        ],
        id: 1,
        key: "A-1",
        line: 2,
      },
    ]);
    expect((await customers())[0].name).toBe("Ada");
    expect(await importing("customers", file)).toEqual([0, 0, 1, 0, 0]);
    const [first] = await customers();
    expect(first).toMatchObject({ name: "Ada Ltd", note: "New note" });
    expect(first.addresses).toMatchObject([{ line_1: "3 Main St", locality: "Łódź", is_billing: true }]);
    expect(await importing("customers", file)).toEqual([0, 0, 0, 1, 0]);
  });

  it("adds an address of a list that the customer lacks, and removes none", async () => {
    const address = { country: "US", is_billing: false, is_shipping: true, latitude: 1, longitude: 2 };
    const more = { ...address, line_1: "9 Side St", locality: "Reno", postcode: "9", region: "NV" };
    const file = write(
      JSON.stringify([{ reference_number: "A-1", addresses: [more], contacts: [] }]),
      "json",
    );
    // The import must not treat the customer's only address as this one.
    expect((await planning("customers", file)).rows[0].changes[0]).toMatchObject({
      field: "addresses[0].is_billing",
    });
    const [
      {
        addresses: [own],
      },
    ] = await customers();
    const both = write(JSON.stringify([{ reference_number: "A-1", addresses: [own, more] }]), "json");
    expect(await importing("customers", both)).toEqual([0, 0, 1, 0, 0]);
    expect((await customers())[0].addresses).toMatchObject([
      { line_1: "3 Main St" },
      { line_1: "9 Side St" },
    ]);
    expect(await importing("customers", both)).toEqual([0, 0, 0, 1, 0]);
    expect(
      await importing("customers", write('[{"reference_number":"A-1","addresses":["x"]}]', "json")),
    ).toEqual([2, 0, 0, 0, 1]);
  });

  it("clears a field for null, in JSON", async () => {
    expect(await importing("customers", write('{"reference_number":"A-1","note":null}', "ndjson"))).toEqual([
      0, 0, 1, 0, 0,
    ]);
    expect((await customers())[0].note).toBe(null);
  });

  it("writes all rejected rows as the same file with their errors, and imports them once corrected", async () => {
    const bad = 'C-3,,"a ""note""",5 Main St,Reno,NV,9,Utopia,91,x,';
    const file = write(`${head}\n${bad}\nD-4,Dora,,,,,,,,,\n`);
    expect(await importing("customers", file)).toEqual([2, 1, 0, 0, 1]);
    const rejects = `${file}.rejects.csv`;
    const text = readFileSync(rejects, "utf8");
    expect(text).toBe(
      `error,${head}\r\n"country must be an ISO 3166-1 alpha-2 country code in capitals, like US. latitude must be at most 90, not 91. longitude must be a number. name is required.",${bad}\r\n`,
    );
    writeFileSync(rejects, text.replace("C-3,,", "C-3,Cid,").replace("Utopia,91,x", "US,9,9"));
    expect(await importing("customers", rejects)).toEqual([0, 1, 0, 0, 0]);
    expect(existsSync(`${rejects}.rejects.csv`)).toBe(false);
  });

  it("rejects what only the service can detect: a missing parent, a duplicate", async () => {
    const file = write("reference_number,name,parent_id\nE-5,Eve,999\nE-6,Dora,\n");
    const errors = [
      "parent_id: there is no customer 999; `dispatch-cli customers list` lists them.",
      expect.stringMatching(/^Customer \d+ at location 1 has this name and no address either\.$/),
    ];
    const { rows } = await planning("customers", file);
    const details = rows.map((row: { errors: { detail: string }[] }) =>
      row.errors[0]?.detail.replace("CreateCustomerModel.", ""),
    );
    expect(details).toEqual(errors);
    expect(await importing("customers", file)).toEqual([2, 0, 0, 0, 2]);
  });

  it("rejects rows that share a key, rows whose key several records have, and rows without one", async () => {
    await run(["trucks", "create", "--location", "1", "--name", "Twin"]);
    await run(["trucks", "create", "--location", "1", "--name", "Twin"]);
    const file = write("name,notes\nTruck 1,a\nTruck 2,b\nTruck 1,c\nTwin,d\n,e\n");
    const { rows } = await planning("trucks", file);
    expect(rows.map(({ errors }: { errors?: { detail: string }[] }) => errors?.[0]?.detail)).toEqual([
      'name "Truck 1" is in line 2 and line 4; keep one of them.',
      undefined,
      'name "Truck 1" is in line 2 and line 4; keep one of them.',
      'name "Twin" belongs to the trucks 1 and 2; use a key that only one has.',
      expect.stringContaining("name is empty, so a later import could not find the row."),
    ]);
    expect(await importing("trucks", file)).toEqual([2, 1, 0, 0, 4]);
  });

  it("matches by another field, or by id", async () => {
    const file = write("id,name,notes\n1,Twin A,x\n99,Nobody,x\n");
    const { rows } = await planning("trucks", file, "--key", "id");
    expect(rows).toMatchObject([
      { action: "update", id: 1, changes: [{ field: "name" }, { field: "notes" }] },
      { action: "reject", errors: [{ detail: "The location has no truck 99." }] },
    ]);
    const wrong = await run(["import", "trucks", file, "--key", "weight", "--plan"]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--key "weight" cannot identify trucks; choose from id,'),
    ]);
  });

  it("proposes the id for a changed row of an export without reference numbers", async () => {
    await run([
      "jobs",
      "create",
      "--location",
      "1",
      "-n",
      "Ivy Roofing",
      "-p",
      "202-555-0101",
      "-a",
      "1745 T St SE, Washington DC 20020",
    ]);
    const { stdout } = await run(["find", "Ivy Roofing", "-o", "json"]);
    const id = JSON.parse(stdout).results[0].id;
    const file = write(`id,reference_number,name\n${id},,Ivy Roofing Inc\n`);
    const { rows } = await planning("customers", file);
    expect(rows).toMatchObject([
      {
        action: "reject",
        errors: [{ detail: expect.stringContaining("Match the rows by id with --key id") }],
      },
    ]);
    expect((await planning("customers", file, "--key", "id")).rows).toMatchObject([{ action: "update", id }]);
  });

  it("creates records without a key on request", async () => {
    const file = write("username,name,phone_number\n,Robin Reyes,202-555-0101\n");
    expect(await importing("drivers", file, "--key", "username")).toEqual([2, 0, 0, 0, 1]);
    expect(await importing("drivers", file, "--key", "username", "--create-without-key")).toEqual([
      0, 1, 0, 0, 0,
    ]);
    expect(await importing("drivers", file)).toEqual([0, 0, 0, 1, 0]);
  });

  it("deactivates a record whose row is inactive, also after creating it", async () => {
    const file = write('name,is_deactivated,can_assign_to\nOld Driver,true,"1,2"\n');
    expect(await importing("drivers", file)).toEqual([0, 1, 0, 0, 0]);
    const { results } = await json("drivers list --location 1");
    const driver = results.find(({ name }: { name: string }) => name === "Old Driver");
    expect(await json(`drivers get ${driver.id} --location 1`)).toMatchObject({
      can_assign_to: [1, 2],
      is_deactivated: true,
    });
    expect(await importing("drivers", file)).toEqual([0, 0, 0, 1, 0]);
    const customer = write("reference_number,name,is_active\nX-1,Gone,false\n");
    expect(await importing("customers", customer)).toEqual([0, 1, 0, 0, 0]);
    expect((await customers()).find(({ name }: { name: string }) => name === "Gone").is_active).toBe(false);
    expect(await importing("customers", customer)).toEqual([0, 0, 0, 1, 0]);
  });

  it("says which records stay out of use when a sheet is imported again after undo, and how to change that", async () => {
    const file = write(`${head}\nU-1${ada.slice(3)}\n`);
    await importing("customers", file);
    await run(["undo", "--yes"]);
    const again = await run(["import", "customers", file, "--yes"]);
    expect(again.stderr).toContain(
      "1 row: the customer is inactive and stays so; --set is_active=true changes that (U-1).",
    );
    expect(await importing("customers", file, "--set", "is_active=true")).toEqual([0, 0, 1, 0, 0]);
    expect((await run(["import", "customers", file, "--plan"])).stderr).not.toContain("inactive");
  });

  it("imports jobs, and names the fields of a job that cannot change", async () => {
    const file = write(
      "reference_number,type,requested_by,address_id,schedule_date,priority\nJ-1,D,1,1,2030-05-01,-2\nJ-2,Q,1,1,,\n",
    );
    expect(await importing("jobs", file)).toEqual([2, 1, 0, 0, 1]);
    expect(await importing("jobs", file)).toEqual([2, 0, 0, 1, 1]);
    const moved = write("reference_number,address_id,dispatcher_notes\nJ-1,2,x\n");
    expect((await planning("jobs", moved)).rows[0].errors[0].detail).toBe(
      "address_id is 1 and cannot be changed to 2.",
    );
    expect(await importing("jobs", write("reference_number,dispatcher_notes\nJ-1,x\n"))).toEqual([
      0, 0, 1, 0, 0,
    ]);
  });

  it.each(["customers", "trucks", "drivers", "jobs"])(
    "accepts %s as they were listed, and finds all the same records",
    async (noun) => {
      const before = await audited();
      const { stdout: ids } = await run([noun, "list", "--location", "1", "-q"]);
      const count = ids.trim().split("\n").length;
      for (const form of ["csv", "ndjson", "json"]) {
        const { stdout } = await run([noun, "list", "--location", "1", "-o", form]);
        const file = write(stdout, form);
        const twins = noun === "trucks" ? ["--key", "id"] : [];
        expect(await importing(noun, file, ...twins), form).toEqual([0, 0, 0, count, 0]);
      }
      expect(await audited()).toBe(before);
    },
  );

  it("accepts the customers of the tenant as they were listed, with their records at all locations", async () => {
    const { stdout } = await run(["customers", "list", "-o", "csv"]);
    const [code, created, updated, , rejected] = await importing("customers", write(stdout));
    expect([code, created, updated, rejected]).toEqual([0, 0, 0, 0]);
  });

  it("finds a record without a key by its id if the row changes nothing", async () => {
    await run(["customers", "create", "--location", "1", "--body", "-"], {
      input: '{"name":"Keyless","addresses":[],"contacts":[]}',
    });
    const { stdout } = await run(["customers", "list", "--location", "1", "--name", "Keyless", "-o", "csv"]);
    expect(await importing("customers", write(stdout))).toEqual([0, 0, 0, 1, 0]);
    expect(await importing("customers", write(stdout.replace("Keyless", "Other")))).toEqual([2, 0, 0, 0, 1]);
  });

  it("rejects a row of another location", async () => {
    const file = write("name,location_id\nElsewhere,2\n");
    expect((await planning("trucks", file)).rows[0].errors[0].detail).toBe(
      "location_id is 2, and this import is for location 1.",
    );
  });

  it("requires a location if there are several, and requires that it exists", async () => {
    const missing = await run(["import", "trucks", write("name\nT\n"), "--location", "7", "--yes"]);
    expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining("There is no location 7.")]);
    const wrong = await run(["import", "trucks", write("name\nT\n"), "--location", "x", "--yes"]);
    expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining('There is no location "x".')]);
  });

  it("requires confirmation, and says of what", async () => {
    const file = write("name\nUnasked\n");
    const { code, stdout, stderr } = await run(["import", "trucks", file]);
    expect([code, stdout]).toEqual([2, ""]);
    const target = env.DISPATCH_URL ?? env.DISPATCH_DATA;
    expect(stderr).toContain(`into ${target}, tenant 1 (Acme), location 1: create 1?`);
    expect(
      (await json("trucks list --location 1")).results.map(({ name }: { name: string }) => name),
    ).not.toContain("Unasked");
  });

  it("stops at an error that no row causes, and reports its progress", async () => {
    if (kind === "server") return;
    await run(["users", "create", "--location", "1", "--username", "crm", "--roles", "CrmUser"]);
    const { code, stderr } = await run([
      "import",
      "trucks",
      write("name\nForbidden\n"),
      "--yes",
      "--as",
      "crm",
    ]);
    expect([code, stderr]).toEqual([4, expect.stringContaining("Stopped after 0 of 1 rows")]);
  });
});

it("imports rows into a store in PostgreSQL, and the second run changes nothing", async () => {
  const database = createEmptyDatabase();
  try {
    const env = { DISPATCH_DATA: database.data };
    await runCommand(["init", "--tenant", "Acme", "--location", "Yard"], { env });
    const file = write(`${head}\n${ada}\n${bob}\n`);
    const importing = async () => {
      const { code, stdout } = await runCommand(["import", "customers", file, "--yes", "-o", "json"], {
        env,
      });
      return [code, JSON.parse(stdout)];
    };
    expect(await importing()).toMatchObject([0, { created: 2, same: 0, updated: 0 }]);
    const before = database.contents();
    expect(await importing()).toMatchObject([0, { created: 0, same: 2, updated: 0 }]);
    expect(database.contents()).toEqual(before);
  } finally {
    database.remove();
  }
});

it("judges the dates of rows by the clock of the store", async () => {
  const env = { DISPATCH_DATA: join(folder, "sandbox.db") };
  const run = (...words: string[]) => runCommand([...words, "-o", "json"], { env });
  await run("init", "--sandbox", "--tenant", "Acme", "--location", "Yard");
  await run("clock", "set", "2020-01-01");
  await run("import", "customers", write(`${head}\n${ada}\n`), "--yes");
  const importing = async (date: string) => {
    const row = `J-${date},D,1,1,${date}`;
    const file = write(`reference_number,type,requested_by,address_id,pickup_date\n${row}\n`);
    const { stdout } = await run("import", "jobs", file, "--yes");
    return JSON.parse(stdout);
  };
  expect(await importing("2020-06-01")).toMatchObject({ created: 1, rejected: 0 });
  expect(await importing("2019-06-01")).toMatchObject({ created: 0, rejected: 1 });
});

describe("the text of a plan", () => {
  it("shows an address in the order of a letter", async () => {
    const { env } = await makeTarget("store");
    const names = "latitude,longitude,country,postcode,region,locality,line_1,reference_number,name";
    const file = write(`${names}\n38.8,-76.9,US,20020,DC,Washington,1745 T St SE,C-9,Cy\n`);
    const { stdout } = await runCommand(["import", "customers", file, "--plan"], { env });
    expect(stdout).toContain("addresses: 1745 T St SE, Washington, DC, 20020, US, 38.8, -76.9");
  });

  it("has the counts and the first rows, field by field, in 80 columns", async () => {
    const { env } = await makeTarget("store");
    const run = (words: string[], columns?: number) =>
      runCommand(words, { env, ...(columns && { columns }) });
    await run(["import", "customers", write(`${head}\n${ada}\n${bob}\n`), "--yes"]);
    const file = write(
      `${head}\n${ada}\n${bob.replace("Gate 4", "Gate 5").replace("Bob", "Bób\u001b[31m")}\nC-3,Cid,,,,,,,,,\nD-4,,,,,,,,,,\n`,
    );
    const { code, stdout } = await run(["import", "customers", file, "--plan", "--no-color"], 80);
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf("\n\n") + 1)).toMatchInlineSnapshot(`
      "
        create  1
        update  1
        same    1
        reject  1

      create
        line 4  C-3
          reference_number: C-3, name: Cid

      update
        line 3  B-2
          name: Bob Ltd → Bób\\x1b[31m Ltd
          note: Gate 4 → Gate 5

      reject
        line 5  D-4
          name is required.
      "
    `);
  });

  it("has its columns in the help of the noun", async () => {
    const { code, stdout } = await runCommand(["import", "trucks", "--help-all"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Columns:\n {2}out_of_service, require_odometer, /);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "A row matches the record with the same name. The import creates the record if it does not exist",
    );
  });
});

describe("--events none", () => {
  const events = async (env: Env) =>
    JSON.parse((await runCommand(["events", "list", "-o", "json"], { env })).stdout);

  it("creates no events of records imported into a store, but writes the audit trail", async () => {
    const { env } = await makeTarget("store");
    const file = write(`${head}\n${ada}\n`);
    expect((await runCommand(["import", "customers", file, "--yes", "--events", "none"], { env })).code).toBe(
      0,
    );
    expect((await events(env)).results).toEqual([]);
    const audit = JSON.parse((await runCommand(["audit", "list", "-o", "json"], { env })).stdout);
    expect(audit.results.map(({ operation }: { operation: string }) => operation)).toContain(
      "customers.create",
    );
    expect(
      (await runCommand(["import", "customers", write(`${head}\n${bob}\n`), "--yes"], { env })).code,
    ).toBe(0);
    expect((await events(env)).results).toHaveLength(2);
  });

  it("is refused on a server, which notifies its webhooks itself", async () => {
    const env = { DISPATCH_URL: "http://127.0.0.1:9", DISPATCH_TOKEN: "x" };
    const { code, stderr } = await runCommand(["import", "trucks", "x.csv", "--yes", "--events", "none"], {
      env,
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("--events none works only on a store")]);
  });
});
