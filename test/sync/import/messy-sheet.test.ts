import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { toWorkbook } from "../../../src/cli/output/to-workbook.ts";
import { runCommand } from "../../support/command-line.ts";
import { makeMess } from "../../support/messy-sheet.ts";
import { useTempFolder } from "../../support/temp-folder.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "store.db") };
const at = (name: string) => join(folder, name);

async function run(...words: string[]) {
  const { code, stderr, stdout } = await runCommand(words, { env });
  return { code, stderr: stderr.replaceAll(`${folder}/`, ""), stdout };
}

async function list(noun: string, ...options: string[]) {
  const { stderr, stdout } = await run("export", noun, "-o", "ndjson", ...options);
  expect(stdout, stderr).not.toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

beforeAll(async () => {
  await run("init", "--sandbox", "--tenant", "Acme", "--location", "Yard");
  await run("clock", "set", "2026-11-20T15:00:00.000000");
  await run("tenants", "update", "1", "--time-zone", "America/New_York");
  await run("trucks", "create", "--location", "1", "--name", "Truck 7");
});

describe("the sheet of an office", () => {
  const mess = makeMess();

  const importing = () =>
    ["import", "customers", at("customers.xlsx"), "--set", "country=US", "--coordinates", "zip"] as const;

  it("imports as a workbook at once, with a count for each cause of rejects", async () => {
    writeFileSync(at("customers.xlsx"), await toWorkbook("Customers", mess.customers));
    const { code, stderr } = await run(...importing(), "--ignore-unknown", "--yes");
    expect(code, stderr).toBe(2);
    expect(stderr).toContain("Line 4 is the header; lines 1, 2 and 3 are skipped.");
    expect(stderr).toContain("is left out: a total (TOTAL");
    expect(stderr).toMatch(/\d+ rows: states in capitals \(\w\w → [A-Z]{2}\)/);
    expect(stderr).toMatch(/\d+ rows: ZIPs filled up to five digits \(\d{4} → 0\d{4}\)/);
    expect(stderr).toMatch(/\d+ rows: new addresses with approximate coordinates/);
    expect(stderr).toContain(`${mess.withoutZip} rows: no ZIP (postcode)`);
    expect(stderr).toContain(`number "2.02555E+09" is damaged: a spreadsheet has cut the number`);
    const customers = await list("customers", "--location", "1");
    const first = customers.find(({ reference_number }) => reference_number === "1003");
    expect(first.addresses[0]).toMatchObject({ country: "US", is_shipping: true });
    expect(first.addresses[0].region).toMatch(/^[A-Z]{2}$/);
    expect(customers.length).toBeGreaterThan(300);
  });

  it("changes nothing when it is imported again", async () => {
    const { stdout } = await run(...importing(), "--ignore-unknown", "--plan", "-o", "json");
    expect(JSON.parse(stdout).counts).toMatchObject({ create: 0, update: 0 });
  });

  it("imports jobs by the names of their customers and trucks, in local days and times", async () => {
    const [customer] = (await list("customers", "--location", "1")).filter(({ name }) => name !== null);
    const rows = [
      "Job #,Customer,Type,Job Date,Time,Truck",
      `J1,${customer.reference_number},Drop-off,12/1/2026,8-10am,7`,
      `J2,"${customer.name}",pick up,tomorrow,1:30 PM,truck 7`,
      "J3,Nobody,Swap,12/1/2026,,",
    ];
    writeFileSync(at("jobs.csv"), rows.join("\n"));
    const { code, stderr } = await run("import", "jobs", at("jobs.csv"), "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain("dates read as month/day/year");
    expect(stderr).toContain('The location has no customer called "Nobody"');
    const jobs = await list("jobs");
    expect(jobs.find(({ reference_number }) => reference_number === "J1")).toMatchObject({
      requested_by: customer.id,
      address_id: customer.addresses[0].id,
      type: "D",
      schedule_date: "2026-12-01T00:00:00.000000",
      desired_start_time: "2026-12-01T13:00:00.000000",
      desired_end_time: "2026-12-01T15:00:00.000000",
      truck_id: 1,
    });
    expect(jobs.find(({ reference_number }) => reference_number === "J2")).toMatchObject({
      type: "P",
      schedule_date: "2026-11-21T00:00:00.000000",
      desired_start_time: "2026-11-21T18:30:00.000000",
    });
  });

  it("exports workbooks that import as equal, and refuses an unknown extension", async () => {
    expect((await run("export", "jobs", "--out", at("jobs.xlsx"))).code).toBe(0);
    expect(readFileSync(at("jobs.xlsx")).subarray(0, 2).toString()).toBe("PK");
    const { stdout } = await run("import", "jobs", at("jobs.xlsx"), "--plan", "-o", "json");
    expect(JSON.parse(stdout).counts).toEqual({ create: 0, update: 0, same: 2, reject: 0 });
    const refused = await run("export", "jobs", "--out", at("jobs.doc"));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("not .doc")]);
  });

  it("saves the columns in a map file, which the next import uses", async () => {
    const sheet = "Roster of our fleet,\nVehicle,Remarks\nTruck 8,new\nTotal,1\n";
    writeFileSync(at("fleet.csv"), sheet);
    const saved = await run("import", "trucks", at("fleet.csv"), "--yes", "--save-map", at("map.json"));
    expect(saved.code, saved.stderr).toBe(0);
    expect(JSON.parse(readFileSync(at("map.json"), "utf8")).columns).toEqual({
      Vehicle: "name",
      Remarks: "notes",
    });
    const again = await run(
      "import",
      "trucks",
      at("fleet.csv"),
      "--map-file",
      at("map.json"),
      "--plan",
      "-o",
      "json",
    );
    expect(JSON.parse(again.stdout).counts).toMatchObject({ same: 1, reject: 0 });
  });

  it.each(["customers", "jobs", "trucks", "drivers"])(
    "has a template of %s that import accepts",
    async (noun) => {
      await run("import", "template", noun, "--out", at(`${noun}-template.xlsx`));
      const { code, stderr } = await run("import", noun, at(`${noun}-template.xlsx`), "--plan");
      expect([code, stderr], stderr).toEqual([0, expect.not.stringContaining("no field")]);
    },
  );

  it("reads Windows-1252 by its name", async () => {
    writeFileSync(at("old.csv"), Buffer.from("name;notes\nT\xfcr;\x80 5\n", "latin1"));
    const { stdout, stderr } = await run(
      "import",
      "trucks",
      at("old.csv"),
      "--encoding",
      "windows-1252",
      "--plan",
      "-o",
      "json",
    );
    expect(stdout, stderr).toContain('"name":"Tür"');
    expect(stdout).toContain("€ 5");
  });
});
