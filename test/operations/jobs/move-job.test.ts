import { beforeEach, expect, it } from "vitest";
import type { Json } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { inYardOf, whatIsLeftBy } from "./a-job-of.ts";

const day = "2026-12-01";

describeOnEveryTarget("jobs.move", (harness) => {
  const yard = inYardOf(harness);
  let truckId = 0;

  beforeEach(async () => {
    const params = { location_id: harness.acme.locationId };
    truckId = (await harness.ok("trucks.create", { params, body: { name: `Truck ${Math.random()}` } })).id;
  });

  const plan = async (...changes: Json[]) => {
    const ids: number[] = [];
    for (const change of changes)
      ids.push((await yard.create({ schedule_date: day, truck_id: truckId, ...change })).id);
    return ids as [number, number, number, ...number[]];
  };
  const move = (id: number, body: Json) => harness.ok("jobs.move", { params: yard.at(id), body });
  const refused = (id: number, body: Json) => harness.refused("jobs.move", { params: yard.at(id), body });
  const listed = async () => {
    const { results } = await harness.ok("jobs.list", { query: { truck_id: truckId } });
    return results.map(({ id }) => id);
  };

  it("moves a job to the start, to the end and before another, even if all had the same priority", async () => {
    for (const priority of [null, -5, -1, -999_999]) {
      const [one, two, three] = await plan({ priority }, { priority }, { priority });
      const rest = (await listed()).filter((id) => ![one, two, three].includes(id));
      const order = async () => (await listed()).filter((id) => !rest.includes(id));
      expect((await move(three, { first: true })).id).toBe(three);
      expect(await order()).toEqual([three, one, two]);
      await move(three, { last: true });
      expect(await order()).toEqual([one, two, three]);
      await move(three, { before: two });
      expect(await order()).toEqual([one, three, two]);
      for (const id of [one, two, three]) await yard.updated(id, { is_deleted: true });
    }
  });

  it("changes only the moved job, with one event, if its new neighbors leave a gap; changes nothing if it is in its place", async () => {
    const [one, two, three] = await plan({ priority: -10 }, { priority: -20 }, { priority: -30 });
    const left = await whatIsLeftBy(harness, () => move(three, { before: two }));
    expect(left.audit).toMatchObject([
      { operation: "jobs.move", record_id: three, after: { priority: -15 } },
    ]);
    expect(left.events).toMatchObject([{ action: "updated", kind: "Job", record_id: three }]);
    const again = await whatIsLeftBy(harness, () => move(three, { before: two }));
    expect(again).toEqual({ audit: [], events: [] });
    expect(await listed()).toEqual([one, three, two]);
  });

  it("renumbers all jobs of the date if neighbors leave no gap, each with its event", async () => {
    const [one, two, three] = await plan({}, {}, {});
    const left = await whatIsLeftBy(harness, () => move(one, { last: true }));
    expect(left.events.map(({ record_id }) => record_id).sort()).toEqual([one, two, three]);
    expect(await listed()).toEqual([two, three, one]);
  });

  it("changes no completed jobs, and no jobs of other days and other trucks", async () => {
    const [done, other, mine, last] = await plan({}, { schedule_date: "2026-12-02" }, {}, {});
    await yard.updated(done, { is_completed: true });
    const left = await whatIsLeftBy(harness, () => move(last as number, { first: true }));
    expect(left.audit.map(({ record_id }) => record_id)).toEqual([last]);
    expect(await listed()).toEqual([last, done, mine, other]);
    expect(await refused(mine, { before: other })).toMatchObject({ code: "unknown_reference" });
    expect(await refused(done, { first: true })).toMatchObject({ code: "state_conflict" });
  });

  it("refuses a position that contradicts a time of day, and names the earlier job", async () => {
    const [morning, noon] = await plan(
      { schedule_date: `${day}T08:00:00Z` },
      { schedule_date: `${day}T12:00:00Z` },
      {},
    );
    const error = await refused(noon, { before: morning });
    expect(error).toMatchObject({ code: "state_conflict" });
    expect(error.detail).toContain(`Job ${morning} is scheduled earlier than job ${noon}`);
  });

  it("uses the local day of the location: an evening in Denver belongs to it, although UTC has the next day", async () => {
    const params = { location_id: harness.acme.locationId };
    await harness.ok("locations.update", { as: "Admin", params, body: { time_zone: "America/Denver" } });
    const [evening, night] = await plan(
      { schedule_date: "2026-12-02T01:00:00Z" },
      { schedule_date: "2026-12-02T01:00:00Z" },
      { schedule_date: "2026-12-02T19:00:00Z" },
    );
    await move(night, { before: evening });
    expect((await listed()).slice(0, 2)).toEqual([night, evening]);
    await harness.ok("locations.update", { as: "Admin", params, body: { time_zone: null } });
  });

  it("sorts jobs without a date among themselves", async () => {
    const [one, two] = await plan({ schedule_date: null }, { schedule_date: null }, {});
    await move(two, { first: true });
    expect((await listed()).slice(-2)).toEqual([two, one]);
  });

  it.each([
    [{}, "missing_value"],
    [{ first: true, last: true }, "invalid_format"],
    [{ first: false }, "missing_value"],
    [{ before: 999_999 }, "unknown_reference"],
  ])("refuses %j", async (body, code) => {
    const [one] = await plan({});
    expect(await refused(one, body)).toMatchObject({ code });
  });

  it("refuses a job without a truck", async () => {
    const { id } = await yard.create({ schedule_date: day });
    expect(await refused(id, { first: true })).toMatchObject({ code: "state_conflict" });
  });

  it("moves jobs of the last day of the calendar like jobs of any other day", async () => {
    const last = { schedule_date: "9999-12-31" };
    const [one, two, three] = await plan(last, last, last);
    await move(three, { before: two });
    expect(await listed()).toEqual([one, three, two]);
    const params = { location_id: harness.acme.locationId, truck_id: truckId };
    const body = { jobs: [two, one, three], was: [one, three, two] };
    expect((await harness.ok("trucks.order-jobs", { params, body })).jobs).toEqual([two, one, three]);
  });
});
