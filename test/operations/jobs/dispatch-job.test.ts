import { beforeAll, describe, expect, it } from "vitest";
import { aTruck } from "../../support/builders.ts";
import { sqlite } from "../../support/databases.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";
import { inYardOf, whatIsLeftBy } from "./a-job-of.ts";

const model = "DispatchJobRequestModel";

describeOnEveryTarget("jobs.dispatch", (harness) => {
  const yard = inYardOf(harness);

  it("puts the job on the truck now, and clears the acknowledgement and results of the previous driver", async () => {
    const job = await yard.create({ schedule_date: "2026-12-01" });
    await yard.updated(job.id, { is_declined: true });
    const { truckId } = harness.acme;
    const dispatched = await yard.dispatched(job.id, { truck_id: truckId });
    expect(dispatched).toEqual({ ...job, dispatched_on: testStart, truck_id: truckId });
    expect(await yard.get(job.id)).toEqual(dispatched);
  });

  it("changes nothing if the job is on that truck already, like jobs.update; another truck clears the acknowledgement", async () => {
    const { haulerTruckId, truckId } = harness.acme;
    for (const send of [yard.dispatched, yard.updated]) {
      const { id } = await yard.create({ dispatched_on: "2026-11-01", truck_id: truckId });
      const job = await yard.updated(id, { is_acknowledged: true });
      const before = harness.store.contents();
      expect(await send(id, { truck_id: truckId })).toEqual(job);
      expect(harness.store.contents()).toEqual(before);
      expect(await send(id, { truck_id: haulerTruckId })).toMatchObject({
        dispatched_on: testStart,
        is_acknowledged: false,
      });
    }
  });

  it("takes the job off its truck if truck_id is null, and records the caller who returned it", async () => {
    const { callers, driverId, truckId } = harness.acme;
    const both = await harness.addCaller({ driver_id: driverId, roles: ["Dispatcher", "Driver"] });
    for (const [caller, isDriver] of [
      [callers.Dispatcher, false],
      [both, true],
    ] as const) {
      const { id } = await yard.create({ truck_id: truckId });
      expect(await yard.dispatched(id, { truck_id: null }, { as: caller })).toMatchObject({
        dispatched_on: null,
        truck_id: null,
      });
      const query = { returned_by: caller.user.id, returned_by_driver: isDriver };
      const { results } = await harness.ok("jobs.list", { query });
      expect(results.map((job) => job.id)).toEqual([id]);
    }
  });

  it("reschedules the job, with or without a truck, and keeps the original date", async () => {
    const job = await yard.create({ schedule_date: "2026-12-01" });
    const date = "2026-12-24T08:00:00.000000";
    const moved = await yard.dispatched(job.id, { new_schedule_date: date });
    expect(moved).toEqual({ ...job, schedule_date: date });
    const both = { new_schedule_date: "2026-12-26", truck_id: harness.acme.truckId };
    expect(await yard.dispatched(job.id, both)).toMatchObject({
      original_schedule_date: job.original_schedule_date,
      schedule_date: "2026-12-26T00:00:00.000000",
      truck_id: harness.acme.truckId,
    });
  });

  it("writes nothing when the job already has that date", async () => {
    const date = "2026-12-24T08:00:00.000000";
    const job = await yard.create({ schedule_date: date });
    const before = harness.store.contents();
    expect(await yard.dispatched(job.id, { new_schedule_date: date })).toEqual(job);
    expect(harness.store.contents()).toEqual(before);
  });

  it("requires a truck or a date", async () => {
    const { id } = await yard.create();
    const before = harness.store.contents();
    expect(toViolations(await yard.dispatch(id, {}))).toEqual([400, ["missing_value", model]]);
    expect(harness.store.contents()).toEqual(before);
  });

  it("accepts only trucks of the location that are in service", async () => {
    const { id } = await yard.create();
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const elsewhere = await harness.ok("trucks.create", {
      params: { location_id: north.id },
      body: aTruck(),
    });
    const broken = await harness.ok("trucks.create", {
      params: { location_id: harness.acme.locationId },
      body: aTruck({ out_of_service: true }),
    });
    const before = harness.store.contents();
    for (const truck_id of [999_999, elsewhere.id, harness.globex.truckId]) {
      for (const send of [yard.dispatch, yard.update]) {
        const [status, [code, field]] = toViolations(await send(id, { truck_id })) as [number, string[]];
        expect([status, code, field?.split(".")[1]]).toEqual([400, "unknown_reference", "truck_id"]);
      }
    }
    for (const send of [yard.dispatch, yard.update]) {
      expect(await send(id, { truck_id: broken.id })).toMatchObject({
        status: 409,
        body: { code: "state_conflict", detail: expect.stringContaining("out of service") },
      });
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("has the same effect through jobs.update", async () => {
    const { callers, truckId } = harness.acme;
    const { id } = await yard.create({ is_declined: true });
    expect(await yard.updated(id, { truck_id: truckId })).toMatchObject({
      dispatched_on: testStart,
      is_declined: false,
    });
    await yard.updated(id, { truck_id: null }, { as: "Admin" });
    const { results } = await harness.ok("jobs.list", { query: { returned_by: callers.Admin.user.id } });
    expect(results).toMatchObject([{ dispatched_on: null, id, truck_id: null }]);
    expect(await yard.updated(id, { dispatched_on: "2026-11-20", truck_id: truckId })).toMatchObject({
      dispatched_on: "2026-11-20T00:00:00.000000",
    });
  });

  it("lets a ThirdPartyDispatcher use only the jobs and trucks of its hauler", async () => {
    const { haulerId, haulerTruckId, truckId } = harness.acme;
    const own = await yard.create({ third_party_hauler_id: haulerId });
    const other = await yard.create();
    const as = "ThirdPartyDispatcher";
    expect(await yard.dispatched(own.id, { truck_id: haulerTruckId }, { as })).toMatchObject({
      truck_id: haulerTruckId,
    });
    expect(toViolations(await yard.dispatch(own.id, { truck_id: truckId }, as))).toEqual([
      400,
      ["unknown_reference", `${model}.truck_id`],
    ]);
    expect((await yard.dispatch(other.id, { truck_id: haulerTruckId }, as)).status).toBe(404);
  });

  describe("a job that returned full", () => {
    const taken = { asset_id: null, departed_on: "2026-11-20", driver_notes: "Landfill closed 🚧" };

    it("is listed by return_full: returned after its asset was picked up and before it was dumped", async () => {
      const { id } = await yard.create({ truck_id: harness.acme.truckId });
      await yard.updated(id, taken);
      const left = await whatIsLeftBy(harness, () => yard.dispatched(id, { truck_id: null }));
      const { return_full } = await yard.get(id);
      expect(return_full).toEqual([
        { asset_id: null, created_on: testStart, id: expect.any(Number), note: "Landfill closed 🚧" },
      ]);
      expect(left.events).toMatchObject([{ action: "returned", data: { return_full } }]);
    });

    it.each([
      { ...taken, dumped_on: "2026-11-21" },
      { ...taken, departed_on: null },
    ])("is not listed by return_full for %j", async (changes) => {
      const { id } = await yard.create({ truck_id: harness.acme.truckId, ...changes });
      expect((await yard.dispatched(id, { truck_id: null })).return_full).toEqual([]);
    });
  });

  // These tests cover only refusals. The service refuses before it asks the database, so one database is enough.
  describe.runIf(harness.database === sqlite)("its input", () => {
    let jobId = 0;
    const send = (body: unknown) => yard.dispatch(jobId, body);

    beforeAll(async () => {
      jobId = (await yard.create()).id;
    });

    describeFields(harness, {
      model,
      fields: {
        new_schedule_date: { ...takes.futureDate, taken: [] },
        truck_id: takes.id,
      },
      send,
    });
  });
});
