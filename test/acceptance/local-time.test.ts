import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Board } from "../../src/board/board.ts";
import { jobsAt } from "../../src/board/board.ts";
import { runCommand } from "../support/command-line.ts";
import { serveStore } from "../support/program.ts";
import { customerBody } from "../support/seed-store.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let stores = 0;

// Run the machine in a zone that is neither the tenant's nor UTC.
const { TZ: zone } = process.env;
beforeAll(() => {
  process.env.TZ = "Asia/Tokyo";
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** Creates a sandbox store with a zone, a customer, and a truck. `run` runs the program on it. */
async function storeIn(zone: string) {
  stores += 1;
  const data = join(folder, `${stores}.db`);
  const run = (line: string, input = "", env: Record<string, string> = { DISPATCH_DATA: data }) => {
    return runCommand(toWords(line), { env, input });
  };
  const ok = async (line: string, input = "") => {
    const { code, stderr, stdout } = await run(line, input);
    expect([line, code, code === 0 ? "" : stderr]).toEqual([line, 0, ""]);
    return stdout;
  };
  await ok(`init --sandbox --tenant Acme --location Yard --time-zone ${zone}`);
  await ok("customers create --location 1 --body -", customerBody("Dana"));
  await ok("trucks create --location 1 --name 'Truck 7'");
  const json = async <T>(line: string) => JSON.parse(await ok(`${line} -o json`)) as T;
  const job = "jobs create --location 1 --type D --requested-by 1 --address-id 1 --truck-id 1";
  return {
    data,
    run,
    setClock: (time: string) => ok(`clock set '${time}'`),
    create: (options: string) => json<Job>(`${job} ${options}`),
    refused: (options: string) => run(`${job} ${options}`),
    board: async (day: string) => {
      const board = await json<Board>(`day ${day}`);
      const jobs = board.locations.flatMap(jobsAt);
      return {
        date: board.date,
        ids: jobs.map(({ id }) => id).toSorted((one, other) => one - other),
        late: jobs.filter(({ is_late }) => is_late).map(({ id }) => id),
      };
    },
    listed: async (span: string) =>
      (await ok(`jobs list ${span} --all -q`)).split("\n").filter((id) => id !== ""),
  };
}

interface Job {
  id: number;
  schedule_date: string;
  desired_start_time: string;
  desired_end_time: string;
}

describe("a day across midnight UTC", () => {
  it("in Denver is the local day, for typed times as for late jobs", async () => {
    const { board, create, data, listed, run, setClock } = await storeIn("America/Denver");
    await setClock("2026-11-22 17:53");
    const visit = await create("--schedule-date today --desired-start-time 17:00 --desired-end-time 7pm");
    expect(visit).toMatchObject({
      schedule_date: "2026-11-22T00:00:00.000000",
      desired_start_time: "2026-11-23T00:00:00.000000",
      desired_end_time: "2026-11-23T02:00:00.000000",
    });
    // Midnight UTC would mean the whole next day.
    const moment = await create("--schedule-date 'today 17:00'");
    expect(moment.schedule_date).toBe("2026-11-23T00:00:00.000001");
    const next = await create("--schedule-date tomorrow");
    const friday = await create("--schedule-date 'fri 23:30'");
    expect(await board("today")).toEqual({ date: "2026-11-22", ids: [1, 2], late: [2] });
    expect(await board("tomorrow")).toEqual({ date: "2026-11-23", ids: [next.id], late: [] });
    expect(await listed("--from today --to today")).toEqual(["1", "2"]);
    expect(await listed("--from tomorrow --to fri")).toEqual([String(next.id), String(friday.id)]);
    expect(await listed("--from 'fri 23:00' --to 11/27/2026")).toEqual([String(friday.id)]);

    await setClock("19:01");
    expect(await board("today")).toMatchObject({ late: [1, 2] });
    await setClock("tomorrow 23:59");
    expect(await board("today")).toEqual({ date: "2026-11-23", ids: [next.id], late: [] });
    await setClock("tomorrow 0:01");
    expect(await board("yesterday")).toEqual({ date: "2026-11-23", ids: [next.id], late: [next.id] });

    const line = "jobs list --from 2026-11-22 --to fri -o json --page-limit 3 --page-index 2";
    const onStore = await run(line);
    const token = JSON.parse((await run("tokens create --username owner -o json")).stdout).token as string;
    const server = await serveStore(data);
    // The server's clock does not matter: numeric dates are the same everywhere.
    const dated = line.replace("fri", "2026-11-27");
    const onServer = await run(dated, "", { DISPATCH_URL: server.url, DISPATCH_TOKEN: token });
    await server.end();
    expect(onServer.stdout).toBe(onStore.stdout);
    expect(JSON.parse(onStore.stdout)).toMatchObject({ current_page: 2, total_count: 4, total_pages: 2 });
  });

  it("in Auckland is the local day, while UTC still has the day before", async () => {
    const { board, create, listed, run, setClock } = await storeIn("Pacific/Auckland");
    await setClock("2026-11-23 8:00");
    const whole = await create("--schedule-date today");
    const early = await create("--schedule-date 'today 0:30'");
    const late = await create("--schedule-date 'today 23:30'");
    expect([whole, early, late].map(({ schedule_date }) => schedule_date)).toEqual([
      "2026-11-23T00:00:00.000000",
      "2026-11-22T11:30:00.000000",
      "2026-11-23T10:30:00.000000",
    ]);
    expect(await board("mon")).toEqual({ date: "2026-11-23", ids: [1, 2, 3], late: [2] });
    expect(await listed("--from yesterday --to yesterday")).toEqual([]);
    expect(await listed("--from 'today 8:00' --to tomorrow")).toEqual(["1", "3"]);
    const order = await run("jobs update 1 --location 1 --schedule-date 12/1 -o json");
    expect([JSON.parse(order.stdout).schedule_date, order.stderr]).toEqual([
      "2027-01-12T00:00:00.000000",
      expect.stringContaining("12/1 was read as Tue Jan 12 2027"),
    ]);
  });
});

describe("a day on which the clocks change", () => {
  it("in Denver has no 2:30 in spring, and ends an hour earlier in UTC", async () => {
    const { board, create, refused, setClock } = await storeIn("America/Denver");
    await setClock("2027-03-13 12:00");
    expect(await refused("--schedule-date 'tomorrow 2:30'")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the clocks of America/Denver are set forward past 2:30"),
    });
    const [first, eight, last, next] = [
      await create("--schedule-date 'tomorrow 0:00'"),
      await create("--schedule-date 'tomorrow 8:00'"),
      await create("--schedule-date '3/14 23:59'"),
      await create("--schedule-date '3/15 0:00'"),
    ];
    expect([first, eight, last, next].map(({ schedule_date }) => schedule_date)).toEqual([
      "2027-03-14T07:00:00.000000",
      "2027-03-14T14:00:00.000000",
      "2027-03-15T05:59:00.000000",
      "2027-03-15T06:00:00.000000",
    ]);
    expect(await board("tomorrow")).toMatchObject({ ids: [first.id, eight.id, last.id] });
  });

  it("in Auckland has 2:30 twice in autumn: the program uses the first, and says so", async () => {
    const { board, refused, setClock } = await storeIn("Pacific/Auckland");
    await setClock("2027-04-03 12:00");
    const twice = await refused("--schedule-date 'tomorrow 2:30' -o json");
    expect([JSON.parse(twice.stdout).schedule_date, twice.stderr]).toEqual([
      "2027-04-03T13:30:00.000000",
      expect.stringContaining("2:30 am on Sun Apr 4 occurs twice in Pacific/Auckland; the first is used"),
    ]);
    expect(await board("tomorrow")).toMatchObject({ date: "2027-04-04", ids: [1] });
  });
});
