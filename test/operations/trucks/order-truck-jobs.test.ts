import { beforeEach, expect, it } from "vitest";
import type { Json } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { inYardOf, whatIsLeftBy } from "../jobs/a-job-of.ts";

describeOnEveryTarget("trucks.order-jobs", (harness) => {
  const yard = inYardOf(harness);
  let truckId = 0;
  const at = () => ({ location_id: harness.acme.locationId, truck_id: truckId });

  beforeEach(async () => {
    const params = { location_id: harness.acme.locationId };
    truckId = (await harness.ok("trucks.create", { params, body: { name: `Truck ${Math.random()}` } })).id;
  });

  const plan = async (...changes: Json[]) => {
    const ids: number[] = [];
    for (const change of changes)
      ids.push((await yard.create({ schedule_date: "2026-12-01", truck_id: truckId, ...change })).id);
    return ids as [number, number, number];
  };
  const order = (jobs: number[], more: Json = {}) =>
    harness.ok("trucks.order-jobs", { params: at(), body: { jobs, ...more } });
  const refused = (jobs: number[], more: Json = {}) =>
    harness.refused("trucks.order-jobs", { params: at(), body: { jobs, ...more } });
  const listed = async () => {
    const { results } = await harness.ok("jobs.list", { query: { truck_id: truckId, deleted: true } });
    return results.map(({ id }) => id);
  };

  it("orders the jobs of a day in one transaction, with an event and an audit row for each changed job", async () => {
    const [one, two, three] = await plan({}, { priority: -7 }, {});
    const left = await whatIsLeftBy(harness, () => order([three, one, two], { was: [two, one, three] }));
    expect(await listed()).toEqual([three, one, two]);
    expect(new Set(left.audit.map(({ record_id }) => record_id))).toEqual(new Set([one, two, three]));
    expect(new Set(left.audit.map(({ request_id }) => request_id)).size).toBe(1);
    expect(left.events).toHaveLength(3);
    const again = await whatIsLeftBy(harness, () => order([three, one, two]));
    expect(again).toEqual({ audit: [], events: [] });
  });

  it("keeps the order of jobs that the request omits, and the position of completed jobs", async () => {
    const [one, two, three] = await plan({}, {}, {});
    await yard.updated(one, { is_completed: true });
    expect(await order([one, three])).toMatchObject({ jobs: [one, three, two], truck_id: truckId });
    expect(await listed()).toEqual([one, three, two]);
  });

  it("changes only the jobs of dates whose order changes", async () => {
    const [late, one, two] = await plan({ schedule_date: "2026-12-01T12:00:00Z" }, {}, {});
    expect((await order([two, one, late])).changed).toEqual([two, one]);
  });

  it("is refused if the order of the truck has changed since the caller read it, and changes nothing", async () => {
    const [one, two, three] = await plan({}, {}, {});
    await order([two, one, three]);
    const error = await refused([three, two, one], { was: [one, two, three] });
    expect(error).toMatchObject({ code: "state_conflict" });
    expect(error.detail).toContain(`It is now: ${two}, ${one}, ${three}.`);
    expect(await listed()).toEqual([two, one, three]);
  });

  it("is refused if the truck got or lost a job after the caller read them", async () => {
    const [one, two, three] = await plan({}, {}, {});
    await yard.updated(two, { truck_id: null });
    expect(await refused([three, one], { was: [one, two, three] })).toMatchObject({ code: "state_conflict" });
    expect((await refused([three, two, one])).detail).toContain(`on that day: ${two}.`);
    expect((await refused([two, three])).detail).toContain(`Job ${two} is not on truck ${truckId}`);
  });

  it("refuses an empty order, jobs of other days, and an order that contradicts times", async () => {
    const [noon, day, other] = await plan(
      { schedule_date: "2026-12-01T12:00:00Z" },
      {},
      { schedule_date: "2026-12-02" },
    );
    expect((await refused([noon, day])).detail).toContain(`Job ${day} is scheduled earlier`);
    expect((await refused([day, other])).detail).toContain(`on that day: ${other}.`);
    expect(await refused([])).toMatchObject({ code: "too_few" });
  });

  it("is undone as a whole by audit.undo", async () => {
    const [one, two, three] = await plan({ priority: -3 }, { priority: -2 }, {});
    const before = await listed();
    await order([three, two, one]);
    const query = { record_id: one, record_type: "Job" };
    const { id } = await harness.ok("audit.last", { query });
    await harness.ok("audit.undo", { params: { audit_id: id } });
    expect(await listed()).toEqual(before);
  });
});
