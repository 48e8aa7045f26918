import { readFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import readWorkbook from "read-excel-file/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { customerBody } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
const onStore: Record<string, string> = { DISPATCH_DATA: data };
let onServer: Record<string, string>;
let end: () => Promise<void>;

const ok = async (words: readonly string[], input?: string) => {
  const result = await runCommand(words, { env: onStore, ...(input !== undefined && { input }) });
  expect([result.code, words, result.stderr]).toEqual([0, words, ""]);
  return result.stdout;
};

/** Three completed jobs, an open one, and a deleted one. One is on January 31 in Denver, which is February in UTC. */
beforeAll(async () => {
  await ok("init --tenant Acme --location Yard --time-zone America/Denver -o json".split(" "));
  await ok("locations create --name East --time-zone America/New_York --body - -o json".split(" "), place);
  for (const [location, name] of [
    ["1", "Łukasz: Roofing"],
    ["1", "=Acme"],
    ["2", "Harbor"],
  ] as const)
    await ok(
      ["customers", "create", "--location", location, "--body", "-", "-o", "json"],
      customerBody(name),
    );
  await ok(["drivers", "create", "--location", "1", "--name", "Pat Lee", "-o", "json"]);
  await ok(["trucks", "create", "--location", "1", "--name", "T-7", "--driver-id", "Pat Lee", "-o", "json"]);
  await ok("materials create --location 1 --description Concrete --uom ton -o json".split(" "));
  const jobs = [
    ["1", "1", "2026-01-31T23:30", "--reference-number=007", "--dispatcher-notes=Gate 4"],
    ["1", "2", "2026-02-01T08:15"],
    ["2", "3", "2026-01-31T23:59"],
    ["1", "1", null],
    ["1", "1", "2026-01-15T12:00"],
  ] as const;
  for (const [index, [location, customer, completed, ...more]] of jobs.entries()) {
    const who = ["--location", location, "--type", "D", "--requested-by", customer, "--address-id", customer];
    await ok(["jobs", "create", ...who, ...more, "-o", "json"]);
    if (completed === null) continue;
    if (index === 0) {
      await ok("jobs assign 1 --location 1 --truck-id 1 -o json".split(" "));
      for (const weights of [
        "--heavy-weight 9200.2 --light-weight 4100.1",
        "--heavy-weight 0.3 --tare-weight 0.1",
      ])
        await ok(
          `jobs add-material 1 --location 1 --material-item-id 1 --quantity 2.5 ${weights} -o json`.split(
            " ",
          ),
        );
    }
    const at = ["--location", location, "-o", "json"];
    await ok(["jobs", "complete", String(index + 1), "--completed-on", completed, "--yes", ...at]);
  }
  await ok("jobs delete 5 --location 1 --yes -o json".split(" "));
  const made = await ok("tokens create --username owner -o json".split(" "));
  const served = await serveStore(data, (JSON.parse(made) as { token: string }).token);
  ({ end, env: onServer } = served);
});
afterAll(() => end());

const place = JSON.stringify({
  address: {
    latitude: 40,
    line_1: "1 Dock Rd",
    locality: "Hoboken",
    longitude: -74,
    postcode: "07030",
    region: "NJ",
  },
});

describe.each([
  { name: "a store", env: () => onStore },
  { name: "a server", env: () => onServer },
])("report jobs on $name", ({ env }) => {
  const report = async (...words: string[]) => {
    const result = await runCommand(["report", "jobs", ...words], { env: env() });
    expect([result.code, result.stderr]).toEqual([0, expect.anything()]);
    return result.stdout;
  };
  const rows = async (...words: string[]) => JSON.parse(await report(...words, "-o", "json"));
  const ids = async (...words: string[]) => (await rows(...words)).map(({ job }: { job: number }) => job);

  it("has one row for each completed job of the month by the clock of its location", async () => {
    expect(await ids("--month", "2026-01")).toEqual([3, 1]);
    expect(await ids("--month", "2026-02")).toEqual([2]);
    expect(await ids("--month", "Feb 2026")).toEqual([2]);
    expect((await rows("--month", "2026-01"))[1]).toEqual({
      job: 1,
      completed: "2026-01-31 23:30",
      location: "Yard",
      customer: "Łukasz: Roofing",
      address: "1 Main St, Łódź, DC 1",
      type: "Drop-off",
      asset: "",
      materials: "Concrete 5100.1, 2.5 ton; Concrete 0.2, 2.5 ton",
      weight: 5100.3,
      truck: "T-7",
      driver: "Pat Lee",
      reference_number: "007",
      scale_ticket: null,
      notes: "Gate 4",
      failed_attempts: 0,
    });
  });

  it.each([
    ["the location", ["--location", "East"], [3]],
    ["the customer", ["--customer", "=acme"], [2]],
    ["the truck", ["--truck", "t-7"], [1]],
    ["the driver", ["--driver", "pat lee"], [1]],
    ["the first day", ["--from", "2026-02-01"], [2]],
    ["the last day", ["--to", "2026-01-31"], [3, 1]],
  ])("keeps the jobs of %s", async (_, words, kept) => {
    const span = words.includes("--from") || words.includes("--to") ? [] : ["--from", "2026-01-01"];
    expect(await ids(...span, ...words)).toEqual(kept);
  });

  it("counts jobs and weights by group", async () => {
    expect(await rows("--from", "2026-01-01", "--by", "truck")).toEqual([
      { truck: "no truck", jobs: 2, weight: null, failed_attempts: 0 },
      { truck: "T-7", jobs: 1, weight: 5100.3, failed_attempts: 0 },
    ]);
    expect(await rows("--month", "2026-01", "--by", "material")).toEqual([
      { material: "Concrete", jobs: 1, weight: 5100.3, failed_attempts: 0 },
      { material: "no material", jobs: 1, weight: null, failed_attempts: 0 },
    ]);
  });

  it("writes a workbook with typed cells, totals, and a sheet for each group", async () => {
    const file = join(folder, "report.xlsx");
    await report("--from", "2026-01-01", "--by", "customer", "--out", file);
    const sheets = await readWorkbook(readFileSync(file));
    expect(sheets.map(({ sheet }) => sheet)).toEqual([
      "By customer",
      "Jobs",
      "=Acme",
      "Harbor",
      "Łukasz  Roofing",
    ]);
    const [counts, jobs] = sheets.map((sheet) => sheet.data);
    expect(counts?.at(-1)).toEqual(["Total", 3, 5100.3, 0]);
    expect(jobs?.[0]?.slice(0, 4)).toEqual(["job", "completed", "location", "customer"]);
    const [, , first] = jobs ?? [];
    expect(first?.[0]).toBe(1);
    expect(first?.[1]).toEqual(new Date("2026-01-31T23:30:00Z"));
    expect(first?.slice(8, 12)).toEqual([5100.3, "T-7", "Pat Lee", "007"]);
    expect(jobs?.at(-1)?.[8]).toBe(5100.3);
  });

  it("reads the name of a month as the last one that has begun", async () => {
    const far = new Date();
    far.setUTCMonth(far.getUTCMonth() - 6, 1);
    const name = far.toLocaleString("en", { month: "long", timeZone: "UTC" });
    const month = far.toISOString().slice(0, 7);
    for (const word of [name, name.slice(0, 3).toLowerCase()])
      expect(await report("--month", word)).toBe(await report("--month", month));
  });

  it("prints each sheet of a workbook in landscape, with all columns on one page", async () => {
    const file = join(folder, "printed.xlsx");
    await report("--from", "2026-01-01", "--out", file);
    const sheet = strFromU8(unzipSync(readFileSync(file))["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
    expect(sheet).toMatch(
      /<pageSetUpPr fitToPage="1"\/>.*<pageSetup orientation="landscape" fitToHeight="0"\/>/s,
    );
  });

  it("states the weight only of jobs that have one", async () => {
    const summary = async (month: string) =>
      (await runCommand(["report", "jobs", "--month", month], { env: env() })).stderr;
    expect([await summary("2026-01"), await summary("2026-02")]).toEqual([
      expect.stringContaining("2 jobs, weight 5100.3, 0 failed attempts"),
      expect.stringContaining("1 job, 0 failed attempts"),
    ]);
  });

  it("writes the rows of the table as CSV", async () => {
    const file = join(folder, "report.csv");
    await report("--month", "2026-02", "--out", file);
    expect(readFileSync(file, "utf8")).toBe(await report("--month", "2026-02", "-o", "csv"));
    expect(readFileSync(file, "utf8")).toContain("\n2,2026-02-01 08:15,Yard,'=Acme,");
  });
});

it.each([
  ["a month that is not one", ["--month", "2026-13"], '--month "2026-13" is not a month'],
  ["no period", [], "Name a month or days"],
  ["a month and days", ["--month", "this", "--to", "today"], "either --month, or --from and --to"],
  ["days in the wrong order", ["--from", "2026-02-02", "--to", "2026-02-01"], "--from 2026-02-02 is after"],
  ["a day that is none", ["--from", "soon"], '--from "soon"'],
  ["an unknown customer", ["--month", "this", "--customer", "Nobody"], 'There is no customer "Nobody"'],
  ["an unknown customer id", ["--month", "this", "--customer", "99"], "There is no customer 99"],
  ["an unknown truck", ["--month", "this", "--truck", "99"], "There is no truck 99"],
  ["a file of another kind", ["--month", "this", "--out", "x.pdf"], "--out must end in .xlsx or .csv"],
])("report jobs refuses %s", async (_, words, message) => {
  const result = await runCommand(["report", "jobs", ...words], { env: onStore });
  expect(result.code).not.toBe(0);
  expect(result.stderr).toContain(message);
});
