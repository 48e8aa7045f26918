import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { customerBody } from "../support/seed-store.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { typeCommand } from "../support/typed-command.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "store.db"), DISPATCH_CONFIG: join(folder, "config") };
const run = (line: string, input?: string) =>
  runCommand(toWords(line), { env, ...(input !== undefined && { input }) });
const ok = async (line: string, input?: string) => {
  const { code, stderr, stdout } = await run(line, input);
  expect([line, code, stderr]).toEqual([line, 0, expect.any(String)]);
  return { stderr, stdout };
};

// The clock shows a Sunday evening in Denver, which is Monday in UTC.
beforeAll(async () => {
  await ok("init --sandbox --tenant Acme --location Yard --time-zone America/Denver");
  await ok("clock set '2026-11-22 18:00'");
  await ok("customers create --body -", customerBody("Dana"));
  const job = "jobs create --type D --requested-by 1 --address-id 1";
  await ok(`${job} --schedule-date today --desired-start-time 19:00 --desired-end-time 20:30`);
  await ok(`${job} --schedule-date 'fri 23:30'`);
  await ok(`${job} --schedule-date sat`);
});

describe("at a location, typed times", () => {
  it("also appear in pairs, while JSON keeps the API format", async () => {
    const settings = "--add-to-routes 1,2 --add-to-routes-settings";
    const update = async (pairs: string) => {
      const { stdout } = await ok(`jobs update 1 ${settings} ${pairs} --dry-run -o json`);
      const { add_to_routes_settings: given } = JSON.parse(stdout) as {
        add_to_routes_settings: { starts_on: string }[];
      };
      return given.map(({ starts_on }) => starts_on);
    };
    expect(await update("'route_id=1,starts_on=tomorrow 8:00'")).toEqual(["2026-11-23T15:00:00.000000"]);
    const json = `'{"route_id":1,"starts_on":"2026-12-01T08:00:00"}'`;
    expect(await update(json)).toEqual(["2026-12-01T08:00:00.000000"]);
    expect(await run(`jobs update 1 ${settings} route_id=1,starts_on=soon`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--add-to-routes-settings starts_on "soon" is not a time'),
    });
  });

  it("may be a window, which sets the end too", async () => {
    const update = async (times: string) => {
      const { stdout } = await ok(`jobs update 1 ${times} --dry-run -o json`);
      const { desired_end_time: end, desired_start_time: start } = JSON.parse(stdout);
      return [start, end].map((time: string) => time.slice(0, 16));
    };
    const afternoon = ["2026-11-23T20:30", "2026-11-23T23:00"];
    expect(await update("--desired-start-time 'mon 1:30-4pm'")).toEqual(afternoon);
    expect(await update("--schedule-date mon --desired-start-time 8-10")).toEqual([
      "2026-11-23T15:00",
      "2026-11-23T17:00",
    ]);
    expect(await update("--desired-start-time 'mon 13:30-16:00'")).toEqual(afternoon);
    const planned = JSON.parse(
      (await ok("jobs update 1 --schedule-date 'tue 1-3pm' --dry-run -o json")).stdout,
    );
    expect(planned).toMatchObject({
      desired_end_time: "2026-11-24T22:00:00.000000",
      desired_start_time: "2026-11-24T20:00:00.000000",
      schedule_date: "2026-11-24T00:00:00.000000",
    });
    expect(await run("jobs update 1 --desired-start-time 5-7")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not clear; add am or pm"),
    });
  });

  it("of a window that ends before it begins are refused", async () => {
    const line = "jobs update 1 --schedule-date mon --desired-start-time 3pm --desired-end-time 1pm";
    expect(await run(line)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("ends (Mon Nov 23 1:00 pm) before it begins (Mon Nov 23 3:00 pm)"),
    });
  });

  it("of a window without am or pm are in the afternoon on a 12-hour clock, and the command says so", async () => {
    const update = "jobs update 1 --desired-start-time 'mon 1:30-4:00' --dry-run";
    const { stderr, stdout } = await ok(update);
    expect(stderr).toContain("mon 1:30-4:00 was read as mon 1:30-4:00 pm");
    expect(stdout).toContain("→ Mon Nov 23 1:30 pm");
    await ok("locations update 1 --clock 24h");
    expect((await ok(update)).stdout).toMatch(/→ Mon Nov 23 1:30$/m);
    expect((await run("jobs update 1 --desired-start-time 1-3")).stderr).toContain("add am or pm");
    await ok("locations update 1 --clock 12h");
  });

  it("cause a note if they have passed, and may move to tomorrow", async () => {
    const update = "jobs update 1 --desired-start-time 8:00 --dry-run";
    expect((await ok(update)).stderr).toContain("8:00 has passed today.");
    expect(
      await typeCommand(toWords(update), env, [["8:00 has passed; tomorrow 8:00?", "y\r"]]),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("→ Mon Nov 23 8:00"),
    });
  });

  it.each(["locations update 1", "tenants update 1", "init --data unmade.db"])(
    "need a zone that observes daylight saving time: %s",
    async (command) => {
      expect(await run(`${command} --time-zone EST`)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/ignores daylight saving time.*America\/New_York/s),
      });
    },
  );

  it("limit an export as they limit a list", async () => {
    const span = "--from tomorrow --to fri";
    const listed = await ok(`jobs list ${span} -q`);
    const exported = await ok(`export jobs ${span} --fields id -o csv`);
    expect([listed.stdout, exported.stdout]).toEqual(["2\n", "id\r\n2\r\n"]);
    expect(await run("export jobs --from fri --schedule-gte 2026-01-01")).toMatchObject({ code: 2 });
  });

  it("of a renewal mean a whole day, in every zone", async () => {
    await ok("customer-locations update 1 --customer 1 --renewal-date 12/1");
    const { stdout } = await ok("customer-locations get 1 --customer 1 -o json");
    expect(JSON.parse(stdout).renewal_date).toBe("2026-12-01T00:00:00.000000");
    expect((await ok("customer-locations get 1 --customer 1")).stdout).toMatch(
      /renewal date Tue Dec 1(?! \d)/,
    );
  });

  it("have errors that say why the interface refuses them, and what it accepts", async () => {
    expect(await run("jobs dispatch 1 --new-schedule-date today")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /"today" has begun .*in UTC.*`jobs update <id> --schedule-date` takes any day/,
      ),
    });
  });

  it("that the interface refuses are reported together with all other violations", async () => {
    const jobs = "jobs create --customer 1 --address 1 --type D --asset-quantity -1";
    const { code, stderr } = await run(`${jobs} --completed-on 2099-01-01 --requested-on tomorrow -o json`);
    const { errors, status } = JSON.parse(stderr.split("\n").find((line) => line.startsWith("{")) ?? "");
    expect([code, status]).toEqual([2, 400]);
    expect(errors).toEqual([
      expect.objectContaining({ code: "too_small", field: "CreateJobRequestBodyModel.asset_quantity" }),
      expect.objectContaining({
        code: "not_past",
        detail: expect.stringMatching(/^--completed-on "2099-01-01" is in the future/),
        field: "CreateJobRequestBodyModel.completed_on",
      }),
      expect.objectContaining({ code: "not_past", field: "CreateJobRequestBodyModel.requested_on" }),
    ]);
    const unread = await run(`${jobs} --completed-on soon --requested-on later -o json`);
    expect(JSON.parse(unread.stderr).errors).toMatchObject([
      { code: "invalid_date", field: "completed_on" },
      { code: "invalid_date", field: "requested_on" },
    ]);
  });

  it("are explained in help, with the current meaning of each example", async () => {
    const { stdout } = await ok("help times");
    expect(stdout).toMatch(/Sun Nov 22 6:0\d pm\s+\(America\/Denver\)/);
    expect(stdout).toMatch(/tomorrow 8:00 .*\(Mon Nov 23\s+8:00\s+am\)/s);
    expect(
      (await runCommand(["help", "times"], { env: { DISPATCH_DATA: join(folder, "none.db") } })).code,
    ).toBe(0);
  });
});

it("the map of a day shows times in its zone", async () => {
  await ok(`jobs map today --out ${join(folder, "day.html")}`);
  expect(readFileSync(join(folder, "day.html"), "utf8")).toContain("7:00–8:30 pm");
});

it("an export imports as equal, in any zone", async () => {
  const file = join(folder, "jobs.csv");
  await ok(`export jobs --out ${file}`);
  const { stdout } = await ok(`import jobs ${file} --key id --location 1 --plan -o json`);
  expect(JSON.parse(stdout)).toMatchObject({ counts: { same: 3, update: 0 } });
});
