import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { useTempFolder } from "../../support/temp-folder.ts";
import { keys, typeCommand } from "../../support/typed-command.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "store.db") };
const at = (name: string) => join(folder, name);

function write(name: string, text: string): string {
  writeFileSync(at(name), text);
  return at(name);
}

async function run(...words: string[]) {
  const { code, stderr, stdout } = await runCommand(words, { env });
  return { code, stderr: stderr.replaceAll(`${folder}/`, ""), stdout };
}

/** Plans an import of customers. Returns the plan's texts, and the bodies that the import would send. */
async function plan(file: string, ...options: string[]) {
  const { code, stderr, stdout } = await run("import", "customers", file, "--plan", "-o", "json", ...options);
  expect(code, stderr).toBe(0);
  const { counts, rows } = JSON.parse(stdout) as { counts: object; rows: { body: Body }[] };
  return { counts, places: rows.map(({ body }) => toPlace(body)), stderr };
}

interface Body {
  addresses: { country: string; latitude: number; longitude: number }[];
}

const toPlace = (body: Body | undefined) => {
  const [address] = body?.addresses ?? [];
  return address ? [address.latitude, address.longitude] : null;
};

const header = "Acct #,Company,Address,City,ST,ZIP";
const row = (number: number, zip: string) => `${number},Customer ${number},${number} Main St,Lyme,ct,${zip}`;

beforeAll(async () => {
  const address = "line_1=1 Yard Rd,locality=Lyme,region=CT,postcode=06371,latitude=41.3,longitude=-72.3";
  await run("init", "--tenant", "Acme", "--location", "Yard", "--time-zone", "America/New_York");
  const { code, stderr } = await run("locations", "update", "1", "--address", address);
  expect(code, stderr).toBe(0);
});

it("asks once on a terminal about unclear columns, and the map file has the answers for the next sheet", async () => {
  const sheet = `Acme Hauling,,,,,,\n${header},Buzz\n${row(1, "6371")},202-555-0101\n${row(2, "6371")},202-555-0102\n`;
  const file = write("asked.csv", sheet);
  const typed = await typeCommand(["import", "customers", file, "--save-map", at("asked.json")], env, [
    ["looks like the header", keys.enter],
    ['Column "Buzz" (202-555-0101, 202-555-0102)', "mobile"],
    ["contact_number", keys.enter],
    ["No column has the country", `us${keys.enter}`],
    ["No column has coordinates", keys.enter],
    ["(y/N)", "y\r"],
  ]);
  expect(typed.stdout, typed.stderr).toContain("2 created, 0 updated, 0 the same, 0 rejected");
  expect(JSON.parse(readFileSync(at("asked.json"), "utf8"))).toMatchObject({
    columns: { Buzz: "contact_number", ZIP: "postcode" },
    coordinates: "zip",
    set: { country: "us" },
  });
  const again = await run("import", "customers", file, "--map-file", at("asked.json"), "--plan");
  expect(again.stdout, again.stderr).toMatch(/same +2/);
});

it.each(["Address", "address", "Full address"])("splits a whole address in a column %s", async (column) => {
  const lines = [
    '8101,Bo Lin,"1745 T St SE, Washington DC 20020"',
    '8102,Ann Ray,"12 Oak Ln, Suite 4, Lyme, CT 06371"',
  ];
  const file = write("lines.csv", `Acct #,Company,${column}\n${lines.join("\n")}\n`);
  const asked = ["--coordinates", "zip", "--plan", "-o", "json"];
  const { code, stderr, stdout } = await run("import", "customers", file, ...asked);
  expect(code, stderr).toBe(0);
  const { counts, rows } = JSON.parse(stdout) as { counts: object; rows: { body: Body }[] };
  expect(counts).toEqual({ create: 2, reject: 0, same: 0, update: 0 });
  expect(rows.map(({ body }) => body.addresses[0])).toMatchObject([
    { country: "US", line_1: "1745 T St SE", locality: "Washington", postcode: "20020", region: "DC" },
    { line_1: "12 Oak Ln", line_2: "Suite 4", locality: "Lyme", postcode: "06371", region: "CT" },
  ]);
});

it("asks first whether to match by name, and the map file keeps it", async () => {
  const file = write("names.csv", "Company,Address,City,ST,ZIP\nBo Lin,1 Main St,Lyme,CT,06371\n");
  const typed = await typeCommand(
    ["import", "customers", file, "--save-map", at("names.json"), "--plan"],
    env,
    [
      ["No column has the reference number. Match the customers by name?", keys.enter],
      ["No column has the country", `us${keys.enter}`],
      ["No column has coordinates", keys.enter],
    ],
  );
  expect(typed.code, typed.stderr).toBe(0);
  expect(typed.stdout).toMatch(/create +1/);
  expect(JSON.parse(readFileSync(at("names.json"), "utf8"))).toMatchObject({ key: "name" });
  const again = await run("import", "customers", file, "--map-file", at("names.json"), "--plan");
  expect(again.stdout, again.stderr).toMatch(/create +1/);
});

it("creates no second customer for a reference number that got one while the question was open", async () => {
  const file = write("late.csv", "Ref,Company\nLATE-1,Ours\n");
  const other = write("other.json", '[{"reference_number":"LATE-1","name":"Theirs"}]');
  const importMeanwhile = async () => {
    await run("import", "customers", other, "--yes");
    return `y${keys.enter}`;
  };
  const typed = await typeCommand(["import", "customers", file], env, [["create 1?", importMeanwhile]]);
  expect(typed.code, typed.stderr).toBe(6);
  expect(typed.stderr).toContain("got the reference number LATE-1 after the plan was made");
  const { stdout } = await run("customers", "list", "--reference-number", "LATE-1", "-o", "json");
  expect(JSON.parse(stdout).results).toMatchObject([{ name: "Theirs" }]);
});

it("names the nearest customer and truck for unknown ones", async () => {
  const address =
    "line_1=9 Elm St,locality=Lyme,region=CT,postcode=06371,country=US,latitude=41.3,longitude=-72.3";
  await run("customers", "create", "--name", "O'Brien Plumbing", "--contact", "[]", "--address", address);
  await run("trucks", "create", "--name", "Big Blue");
  const file = write(
    "jobs.csv",
    "Ref,Customer,Truck,Type\nJ1,obrien,,Drop-off\nJ2,O'Brien Plumbing,Big Blu,Drop-off\n",
  );
  const { stderr, stdout } = await run("import", "jobs", file, "--plan");
  expect(stdout + stderr).toContain('no customer called "obrien"; the nearest is O\'Brien Plumbing.');
  expect(stdout + stderr).toContain('no truck "Big Blu" at the location; the nearest is Big Blue.');
});

it("splits an address without a ZIP, and rejects it only because of the ZIP", async () => {
  const line = '8103,Bo Lin,"1745 T St SE, Washington DC"';
  const file = write("no-zip.csv", `Acct #,Company,Address\n${line}\n`);
  const { stdout } = await run("import", "customers", file, "--coordinates", "zip", "--plan", "-o", "json");
  const { rows } = JSON.parse(stdout) as { rows: { errors: { detail: string }[] }[] };
  expect(rows.map(({ errors }) => errors)).toMatchObject([[{ detail: "postcode is required." }]]);
});

describe("coordinates that a sheet lacks", () => {
  const file = () =>
    write("places.csv", `${header}\n${row(11, "6371")}\n${row(12, "")}\n${row(13, "00001")}\n`);
  const us = ["--set", "country=US"];

  it("are near the location, each counted and listed as approximate", async () => {
    const { counts, places, stderr } = await plan(file(), ...us, "--coordinates", "location");
    expect([counts, places]).toEqual([
      { create: 2, reject: 1, same: 0, update: 0 },
      [[41.3, -72.3], null, [41.3, -72.3]],
    ]);
    expect(stderr).toContain(
      "3 rows: new addresses with approximate coordinates (11 Main St, Lyme, 06371, lines 2, 3, 4).",
    );
  });

  it("come from a file of postcodes, and a row without a match has one reason", async () => {
    const codes = write("codes.csv", "postcode,lat,lng\n06371,41.4,-72.4\n");
    const { places, stderr } = await plan(file(), ...us, "--coordinates", codes);
    expect(places).toEqual([[41.4, -72.4], null, null]);
    expect(
      stderr.split("\n").filter((line) => /^\d+ rows?: (?:no|No)/i.test(line) && !line.includes("approx")),
    ).toEqual([
      "1 row: no ZIP (postcode) (line 3).",
      '1 row: No coordinates are known for "00001"; latitude and longitude are needed (line 4).',
    ]);
    const told = async (source: string) =>
      (await run("import", "customers", file(), "--plan", "--coordinates", source)).stderr;
    expect(await told(at("none.csv"))).toContain(
      "--coordinates is zip, location or a file; none.csv cannot be read",
    );
    expect(await told(file())).toContain("places.csv has no line like 02571,41.76,-70.72");
  });

  it("are missing for one reason, with a fix", async () => {
    const { stderr } = await plan(file(), ...us);
    expect(stderr).toContain("3 rows: no coordinates (--coordinates zip) (lines 2, 3, 4).");
    expect(stderr).not.toContain("longitude");
  });
});

it("creates a customer without an address although --set names a country for all addresses", async () => {
  const sheet = `Company,Address,City,ST,ZIP\nAlba,1 Main St,Lyme,CT,06371\nBoone,,,,\n`;
  const { counts, places } = await plan(
    write("set.csv", sheet),
    ...["--key", "name", "--set", "country=US", "--coordinates", "zip"],
  );
  expect(counts).toMatchObject({ create: 2, reject: 0 });
  expect(places.map((place) => place !== null)).toEqual([true, false]);
});

it("uses the header of the named line, and reports a line without cells", async () => {
  const file = write("rows.csv", `note,of,the,yard,is,long\n${header}\n${row(21, "6371")}\n`);
  const { counts } = await plan(file, "--header-row", "2", "--set", "country=US", "--coordinates", "zip");
  expect(counts).toMatchObject({ create: 1, reject: 0 });
  const missed = await run("import", "customers", file, "--plan", "--header-row", "9");
  expect([missed.code, missed.stderr]).toEqual([
    2,
    expect.stringContaining("rows.csv has nothing in line 9"),
  ]);
});

it("imports repeated identical rows once", async () => {
  const file = write("twice.csv", `${header}\n${row(31, "6371")}\n${row(32, "6371")}\n${row(31, "6371")}\n`);
  const { counts, stderr } = await plan(file, "--set", "country=US", "--coordinates", "zip");
  expect(counts).toMatchObject({ create: 2, reject: 0 });
  expect(stderr).toContain("Line 4 is left out: it equals a row above.");
});

describe("refuses wrong sheet options before it imports anything", () => {
  const refusal = async (...options: string[]) => {
    const file = write("plain.csv", `${header}\n${row(41, "6371")}\n`);
    const { code, stderr } = await run("import", "customers", file, "--yes", ...options);
    expect(code, stderr).toBe(2);
    return stderr;
  };
  it.each([
    ["an invalid map file", "{columns:", "bad.json is not a map file of --save-map: it is not JSON"],
    ["one with an unknown property", '{"colums":{}}', 'Unrecognized key: "colums"'],
    ["one with an unknown field", '{"columns":{"City":"town"}}', "City=town: no field town exists"],
    [
      "one of another sheet",
      '{"columns":{"Route":null}}',
      'names the column "Route", which the file does not have',
    ],
    ["one with an invalid order", '{"date_order":"myd"}', "date_order"],
  ])("%s", async (_, text, told) => {
    expect(await refusal("--map-file", write("bad.json", text))).toContain(told);
  });

  it("a missing map file, and a constant for an unknown field, with the nearest one", async () => {
    expect(await refusal("--map-file", at("gone.json"))).toContain(
      "there is no such file; --save-map writes one",
    );
    expect(await refusal("--set", "contry=US")).toContain(
      "--set contry=US: customers have no field contry; did you mean country?",
    );
    expect(await refusal("--set", "country")).toContain("--set takes field=value");
  });
});
