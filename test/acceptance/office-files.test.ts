import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { makeCustomersXlsx, makeJobsCsv } from "../support/office-files.ts";
import { type ServedStore, serveStore } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const at = (name: string) => join(folder, name);
const data = at("store.db");
let server: ServedStore;
let env: Record<string, string>;

async function run(...argv: string[]) {
  const { code, stderr, stdout } = await runCommand(argv, { env });
  return { code, stderr: stderr.replaceAll(`${folder}/`, ""), stdout };
}

beforeAll(async () => {
  writeFileSync(at("customers.xlsx"), makeCustomersXlsx());
  writeFileSync(at("jobs.csv"), makeJobsCsv());
  const setUp = async (...argv: string[]) => runCommand([...argv, "--data", data]);
  await setUp(
    "init",
    "--sandbox",
    "--tenant",
    "Acme",
    "--location",
    "Yard",
    "--time-zone",
    "America/New_York",
  );
  await setUp("clock", "set", "2026-11-20T15:00:00.000000");
  await setUp("trucks", "create", "--name", "Truck 7");
  const { stdout } = await setUp("tokens", "create", "--username", "owner", "-o", "json");
  server = await serveStore(data);
  env = { DISPATCH_URL: server.url, DISPATCH_TOKEN: (JSON.parse(stdout) as { token: string }).token };
});

afterAll(() => server?.end());

it("imports a workbook and a CSV file of an office into a server at once, with a map file and without questions", async () => {
  const map = { columns: { Route: null }, coordinates: "zip", set: { country: "US" } };
  writeFileSync(at("map.json"), JSON.stringify(map));
  const words = ["import", "customers", at("customers.xlsx"), "--map-file", at("map.json")];
  const first = await run(...words, "--yes", "-o", "json");
  expect(first.code, first.stderr).toBe(2);
  expect(JSON.parse(first.stdout)).toMatchObject({ created: 22, rejected: 2, updated: 0 });
  expect(
    first.stderr
      .split("\n")
      // A slow machine also shows progress.
      .filter((line) => line !== "" && !line.startsWith("imported"))
      .map((line) => line.replace(/ \(.*/, "")),
  ).toEqual([
    'Sheet "Cust List" is read, not Cover; --sheet names another.',
    "Line 4 is the header; lines 1 and 2 are skipped.",
    "Line 42 is left out: a total",
    "1 cell holds the error of a formula, treated as empty.",
    "Line 40 is left out: it equals a row above.",
    "8 rows: extra spaces removed",
    "6 rows: states in capitals",
    expect.stringContaining("ZIPs filled up to five digits"),
    "22 rows: new addresses with approximate coordinates",
    expect.stringContaining('1 row: number "2.02555E+09" is damaged'),
    "1 row: no ZIP",
  ]);
  const again = await run(...words, "--plan", "-o", "json");
  expect(JSON.parse(again.stdout).counts).toEqual({ create: 0, reject: 2, same: 22, update: 0 });

  const jobs = await run("import", "jobs", at("jobs.csv"), "--encoding", "windows-1252", "--yes");
  expect(jobs.stdout, jobs.stderr).toContain("3 created, 0 updated, 0 the same, 1 rejected");
  expect(jobs.stderr).toContain('1 row: The location has no customer called "Customer 99 Roofing"');
  const listed = JSON.parse((await run("export", "jobs", "-o", "json")).stdout);
  expect(listed.results).toMatchObject([
    { desired_start_time: "2026-12-01T13:00:00.000000", truck_id: 1, type: "D" },
    {
      desired_end_time: "2026-12-01T15:00:00.000000",
      truck_id: 1,
      type: "P",
    },
    { schedule_date: "2026-12-01T00:00:00.000000", type: "E" },
  ]);
});

it("writes the records of a server as a workbook that imports as equal, including text that looks like a formula", async () => {
  await run("trucks", "create", "--name", "=cmd|' /C calc'!A0", "--notes", "'+1");
  for (const noun of ["customers", "trucks"]) {
    expect((await run("export", noun, "--out", at(`${noun}-out.xlsx`))).code).toBe(0);
    const { stdout } = await run("import", noun, at(`${noun}-out.xlsx`), "--plan", "-o", "json");
    expect(JSON.parse(stdout).counts).toMatchObject({ create: 0, reject: 0, update: 0 });
  }
  const parts = unzipSync(readFileSync(at("trucks-out.xlsx")));
  expect(
    Object.values(parts)
      .map((part) => strFromU8(part))
      .join(""),
  ).not.toMatch(/<f[ >]/);
});
