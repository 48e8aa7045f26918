import { expect, it } from "vitest";
import type { Board } from "../../src/board/board.ts";
import { jobsAt } from "../../src/board/board.ts";
import { loadBoard } from "../../src/board/load-board.ts";
import { readZones } from "../../src/board/read-zones.ts";
import { utc, Zone } from "../../src/local-time/zone.ts";
import type { Role } from "../../src/models/user.ts";
import { inYardOf } from "../operations/jobs/a-job-of.ts";
import { aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { clientOfToken } from "../support/local-client.ts";
import { describeInProcessOnSqlite, describeOnEveryTarget, freshHarness } from "../support/targets.ts";

async function load(
  harness: Harness,
  date: string,
  as: Role = "Dispatcher",
  called: string[] = [],
  { trayMax = 0, zone = utc }: { trayMax?: number; zone?: Zone } = {},
): Promise<Board> {
  const now = harness.clock.now();
  const tenant = { id: harness.acme.tenantId, name: "Acme" };
  const zones = { all: [zone], of: () => zone };
  const request = { date, locationId: null, now, tenant, trayMax, zones };
  const client = await clientOfToken(harness.service, harness.acme.callers[as], (name) => called.push(name));
  // The `day` command reads the zones first.
  await readZones({ client, tenant: { time_zone: "UTC" } }, false);
  return loadBoard(client, request);
}

const idsOf = (board: Board) => board.locations.flatMap(jobsAt).map(({ id }) => id);

describeOnEveryTarget("the board of a day", (harness) => {
  it("contains the jobs of the last day of the calendar, which are never late", async () => {
    const job = await inYardOf(harness).create({ schedule_date: "9999-12-31" });
    for (const zone of [utc, new Zone("America/Denver"), new Zone("Asia/Kathmandu")]) {
      const board = await load(harness, "9999-12-31", "Dispatcher", [], { zone });
      expect(board.locations.flatMap(jobsAt)).toMatchObject([{ id: job.id, is_late: false }]);
    }
  });

  it("contains the active jobs of the day, by truck, in their order", async () => {
    const { acme } = harness;
    const { create, updated } = inYardOf(harness);
    const at = (schedule_date: string, changes = {}) => create({ schedule_date, ...changes });
    const onTruck = { truck_id: acme.truckId };
    const late = await at("2026-11-21T10:00:00Z", onTruck);
    const second = await at("2026-11-21", { ...onTruck, priority: -2 });
    const first = await at("2026-11-21", { ...onTruck, priority: -1 });
    const open = await at("2026-11-21T23:59:59Z");
    const others = [await at("2026-11-20T23:59:59Z"), await at("2026-11-22"), await create()];
    const gone = await at("2026-11-21", onTruck);
    await updated(gone.id, { is_deleted: true });
    await updated(first.id, { is_completed: true });

    const board = await load(harness, "2026-11-21");
    const [yard] = board.locations;
    const truck = yard?.trucks.find(({ id }) => id === acme.truckId);
    expect(truck?.jobs.map(({ id, state, is_late }) => [id, state, is_late])).toEqual([
      [first.id, "completed", false],
      [second.id, "dispatched", false],
      [late.id, "dispatched", true],
    ]);
    expect(truck?.driver).toEqual(expect.any(String));
    expect(yard?.unassigned.map(({ id }) => id)).toEqual([open.id]);
    expect(board.totals).toEqual({ completed: 1, failed: 0, jobs: 4, late: 1, open: 3, unassigned: 1 });
    expect(idsOf(await load(harness, "2026-11-20"))).toEqual([others[0]?.id]);
    // Lists accept no lower bound in the future.
    expect(idsOf(await load(harness, "2026-11-22"))).toEqual([others[1]?.id]);
  });

  it("reads only the pages of the day, and the trucks and drivers of all locations at once", async () => {
    const own = await freshHarness(harness);
    for (const name of ["North", "South"]) {
      const { id } = await own.ok("locations.create", { as: "Admin", body: { name } });
      await own.ok("trucks.create", { params: { location_id: id }, body: aTruck() });
    }
    const called: string[] = [];
    const { locations } = await load(own, "2026-12-24", "Dispatcher", called);
    expect(locations.map(({ trucks }) => trucks.length)).toEqual([2, 1, 1]);
    expect(called).toEqual(["locations.list", "jobs.list", "trucks.all", "drivers.all"]);
  });

  it("contains the local day of the location, and judges lateness by its clock", async () => {
    const own = await freshHarness(harness);
    const { create } = inYardOf(own);
    const times = [
      ...["2026-11-21", "2026-11-21T06:59:59.999999", "2026-11-21T07:00:00Z", "2026-11-22"],
      ...["2026-11-22T06:59:59.999999", "2026-11-22T07:00:00Z", "2026-11-20T10:59:59Z"],
      ...["2026-11-20T11:00:00Z", "2026-11-21T10:59:59.999999Z", "2026-11-21T11:00:00Z"],
    ];
    const jobs = await Promise.all(times.map((schedule_date) => create({ schedule_date })));
    const load21 = async (zone: Zone) => {
      const board = await load(own, "2026-11-21", "Dispatcher", [], { zone });
      return board.locations.flatMap(jobsAt).toSorted((one, other) => one.id - other.id);
    };
    const timesOf = (shown: { id: number }[]) =>
      shown.map(({ id }) => times[jobs.findIndex((job) => job.id === id)]).toSorted();
    const denver = await load21(new Zone("America/Denver"));
    expect(timesOf(denver)).toEqual([
      "2026-11-21",
      "2026-11-21T07:00:00Z",
      "2026-11-21T10:59:59.999999Z",
      "2026-11-21T11:00:00Z",
      "2026-11-22T06:59:59.999999",
    ]);
    const auckland = await load21(new Zone("Pacific/Auckland"));
    expect(timesOf(auckland)).toEqual([
      "2026-11-20T11:00:00Z",
      "2026-11-21",
      "2026-11-21T06:59:59.999999",
      "2026-11-21T07:00:00Z",
      "2026-11-21T10:59:59.999999Z",
    ]);
    // At noon UTC on November 21, it is November 22 in Auckland, so the requested day is over there.
    expect(timesOf(auckland.filter(({ is_late }) => is_late))).toHaveLength(5);
    expect(denver.find(({ schedule_date }) => schedule_date?.endsWith("00:00:00.000000"))?.is_late).toBe(
      false,
    );
  });

  it("counts open jobs without a date, shows the oldest of them, and omits completed ones", async () => {
    const own = await freshHarness(harness);
    const { create, updated } = inYardOf(own);
    await create({ schedule_date: "2026-11-21" });
    const [first, done, second, third] = [await create(), await create(), await create(), await create()];
    await updated(done.id, { is_completed: true });
    const { unscheduled } = await load(own, "2026-11-21", "Dispatcher", [], { trayMax: 2 });
    expect({ ...unscheduled, oldest: unscheduled.oldest.map(({ id }) => id) }).toEqual({
      count: 3,
      is_more: false,
      oldest: [first.id, second.id],
    });
    expect((await load(own, "2026-11-21", "Dispatcher", [], { trayMax: 9 })).unscheduled.oldest).toHaveLength(
      3,
    );
    expect(third.schedule_date).toBeNull();
  });

  it("shows a Driver the jobs of its truck, and a customer its own jobs without hidden fields", async () => {
    const own = await freshHarness(harness);
    const { create } = inYardOf(own);
    const mine = await create({ schedule_date: "2026-11-21", truck_id: own.acme.truckId });
    await create({ schedule_date: "2026-11-21" });
    expect(idsOf(await load(own, "2026-11-21", "Driver"))).toEqual([mine.id]);
    const seen = await load(own, "2026-11-21", "ClientCustomer");
    expect(seen.totals.jobs).toBe(2);
    expect(seen.locations[0]?.trucks.map(({ driver }) => driver)).toEqual([`driver ${own.acme.driverId}`]);
    expect(idsOf(await load(own, "2026-11-21", "ThirdPartyDriver"))).toEqual([]);
  });
});

describeInProcessOnSqlite("the jobs without a date of a board", (harness) => {
  it("reports further jobs without a date only if there are more than the board reads", async () => {
    const own = await freshHarness(harness);
    const { create } = inYardOf(own);
    const first = await create();
    for (let made = 1; made < 1000; made++) await create();
    const load1 = async () => (await load(own, "2026-11-21", "Dispatcher", [], { trayMax: 1 })).unscheduled;
    expect(await load1()).toMatchObject({ count: 1000, is_more: false, oldest: [{ id: first.id }] });
    await create();
    expect(await load1()).toMatchObject({ count: 1000, is_more: true });
  });
});
