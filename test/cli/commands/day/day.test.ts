import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../../support/command-line.ts";
import { seedStore } from "../../../support/seed-store.ts";
import { useTempFolder } from "../../../support/temp-folder.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "store.db") };
const run = (line: string, columns?: number) =>
  runCommand(line.split(" "), { env, ...(columns !== undefined && { columns }) });

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
  await run("hooks delete 1 --yes");
});

describe("day", () => {
  it("shows the board of a day on a terminal and in other output", async () => {
    const { code, stdout, stderr } = await run("day 2026-12-01 --no-color", 80);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Truck 7 · no driver · 0 of 1 done");
    expect(stdout).toContain("Łukasz Bączek 株式会社");
    expect((await run("day 2026-12-01 --location 1")).stdout).toContain("→ dispatched");
  });

  it("prints the board as data, on one line", async () => {
    const { stdout } = await run("day 2026-12-01 -o json");
    expect(stdout.trimEnd()).not.toContain("\n");
    expect(JSON.parse(stdout)).toMatchObject({
      date: "2026-12-01",
      locations: [
        { id: 1, trucks: [{ jobs: [{ id: 1, state: "dispatched" }], name: "Truck 7" }], unassigned: [] },
      ],
      tenant: { name: "Acme" },
      totals: { jobs: 1 },
    });
  });

  it("shows seven days of each truck, with its jobs and open time", async () => {
    await run("trucks off 1 --from 2026-12-03 --until 2026-12-03 --location 1");
    for (const columns of [60, 80, 160]) {
      const { code, stdout } = await run("day 2026-12-01 --week --no-color", columns);
      expect([code, stdout.split("\n").filter((line) => line.length > columns)]).toEqual([0, []]);
      expect(stdout).toMatch(/Tue 1 +Wed 2 +Thu 3/);
      expect(stdout).toMatch(/Truck 7 +1 (?:job · )?10h +0 (?:jobs · )?10h +off/);
    }
    const { locations } = JSON.parse((await run("day 2026-12-01 --week -o json")).stdout);
    expect(locations[0].trucks[0].days.slice(0, 3)).toMatchObject([
      { date: "2026-12-01", jobs: 1, open_jobs: 1, open_minutes: 600 },
      { jobs: 0, open_minutes: 600 },
      { is_off: true, open_minutes: 0 },
    ]);
    expect((await run("day 2026-12-01 --week -o csv")).stdout).toContain(
      "2026-12-01,Main yard,Truck 7,,1,1,false,600",
    );
    expect((await run("day --week -i")).stderr).toContain("Use either --week, or -i or --watch.");
  });

  it("reports a day without jobs", async () => {
    expect((await run("day 2001-01-01")).stdout).toMatch(/^No jobs that day\. 1 truck is free\.$/m);
  });

  it.each([
    ["day someday", 2, '"someday" is not a time'],
    ["day --location x", 5, 'There is no location "x"'],
    ["day --location 99", 5, "There is no location 99"],
    ["day --watch", 2, "--watch needs a terminal"],
    ["day --as nobody", 2, 'no user "nobody"'],
    ["day today tomorrow", 2, "does not take"],
  ])("refuses %s", async (line, code, reason) => {
    const answer = await run(line);
    expect(answer).toMatchObject({ code, stdout: "" });
    expect(answer.stderr.toLowerCase()).toContain(reason.toLowerCase());
  });
});

describe("jobs map", () => {
  it("writes a page or a picture, depending on the file name", async () => {
    for (const [name, begin] of [
      ["day.html", "<!doctype html>"],
      ["day.SVG", "<svg "],
    ] as const) {
      const { code, stderr } = await run(`jobs map 2026-12-01 --out ${join(folder, name)}`);
      expect([code, stderr]).toEqual([0, expect.stringContaining(`written to ${join(folder, name)}`)]);
      expect(readFileSync(join(folder, name), "utf8")).toMatch(new RegExp(`^${begin}`));
    }
    expect((await run("jobs map 2026-12-01 --out -")).stdout).toContain("Łukasz Bączek 株式会社");
  });

  it.each([
    [`jobs map --out ${join(folder, "day.png")}`, ".html or .svg"],
    [`jobs map --out ${join(folder, "none", "day.svg")}`, "there is no such folder"],
    ["jobs map someday --out -", "is not a time"],
  ])("refuses %s", async (line, reason) => {
    expect(await run(line)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(reason) });
  });
});
