import { beforeAll, describe, expect, it } from "vitest";
import { apiVersions } from "../../../src/models/api-versions.ts";
import { aCustomer, aJob, anAddress, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { addFleet, type Fleet } from "../../support/fleet.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";
import { inYardOf, type JobAnswer, whatIsLeftBy } from "./a-job-of.ts";
import { jobFacts, jobIds, jobPlainFlags, jobTexts, jobTypeCases } from "./job-field-cases.ts";

const model = "UpdateJobProfileModel";

describeOnEveryTarget("jobs.update", (harness) => {
  const yard = inYardOf(harness);

  it("changes only the fields in the body; null empties a field", async () => {
    const job = await yard.create({ driver_notes: "Gate 2", is_paid: true, schedule_date: "2026-12-01" });
    harness.clock.advance(60_000);
    const now = harness.clock.now();
    const changed = await yard.updated(job.id, { driver_notes: "Żółw 🐢", schedule_date: "2026-12-02" });
    expect(changed).toEqual({
      ...job,
      driver_notes: "Żółw 🐢",
      last_updated_on: now,
      schedule_date: "2026-12-02T00:00:00.000000",
    });
    const emptied = await yard.updated(job.id, { driver_notes: null, is_paid: null, times_failed: null });
    expect(emptied).toEqual({ ...changed, driver_notes: null, is_paid: false });
    expect(await yard.get(job.id)).toEqual(emptied);
  });

  it("writes one event with the whole job, and an audit row with the differences", async () => {
    const job = await yard.create({ reference_number: "A" });
    const left = await whatIsLeftBy(harness, () =>
      yard.updated(job.id, { reference_number: "B" }, { as: "Admin" }),
    );
    const { customer, ...fields } = await yard.get(job.id);
    // The answer contains null for fields without a value, but the event may omit them.
    const own = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    expect(left.events).toMatchObject([
      { action: "updated", data: { ...own, customer: { id: customer?.id } }, kind: "Job", record_id: job.id },
    ]);
    expect(left.audit).toMatchObject([
      {
        action: "updated",
        operation: "jobs.update",
        record_id: job.id,
        record_type: "Job",
        user_id: harness.acme.callers.Admin.user.id,
      },
    ]);
    expect(left.audit[0]).toMatchObject({
      after: { reference_number: "B" },
      before: { reference_number: "A" },
    });
  });

  it("writes nothing when nothing changes", async () => {
    const body = { is_acknowledged: true, is_completed: true, truck_id: harness.acme.truckId };
    const job = await yard.create({ ...body, driver_notes: "n", pickup_date: "2026-12-24" });
    harness.clock.advance(60_000);
    const before = harness.store.contents();
    for (const same of [
      {},
      body,
      { ...body, driver_notes: "n", type: "D" },
      { customer_id: null },
      { last_updated_on: null },
    ])
      expect(await yard.updated(job.id, same)).toEqual(job);
    expect(harness.store.contents()).toEqual(before);
  });

  describe("is_completed", () => {
    it("defaults to the caller and the current time; clearing it clears both", async () => {
      const { Dispatcher, Driver } = harness.acme.callers;
      const { id } = await yard.create();
      expect(await yard.updated(id, { is_completed: true })).toMatchObject({
        completed_by: Dispatcher.user.id,
        completed_on: harness.clock.now(),
      });
      expect(await yard.updated(id, { is_completed: false })).toMatchObject({
        completed_by: null,
        completed_on: null,
        is_completed: false,
      });
      const given = { completed_by: Driver.user.id, completed_on: "2026-11-20T08:00:00.000000" };
      expect(await yard.updated(id, { ...given, is_completed: true })).toMatchObject(given);
    });

    it("keeps a completion from the body, changes it later, and a reopened job has none", async () => {
      const completed_on = "2026-11-20T08:00:00.000000";
      const { id } = await yard.create({ completed_on, is_completed: true });
      expect(await yard.get(id)).toMatchObject({ completed_on });
      const later = { completed_on: "2026-11-21T08:00:00.000000" };
      expect(await yard.updated(id, later)).toMatchObject(later);
      const reopened = await yard.updated(id, { completed_on: null, is_completed: false });
      expect(reopened).toMatchObject({ completed_by: null, completed_on: null });
    });

    it("keeps the filter completed_by_driver correct", async () => {
      const { Driver } = harness.acme.callers;
      const { id } = await yard.create({ truck_id: harness.acme.truckId });
      const isListed = async () => {
        const { results } = await harness.ok("jobs.list", { query: { completed_by_driver: true } });
        return results.some((job) => job.id === id);
      };
      const outcomes = [];
      for (const [body, as] of [
        [{ is_completed: true }, "Driver"],
        [{ driver_notes: "x" }, "Dispatcher"],
        [{ completed_by: harness.acme.callers.Dispatcher.user.id }, "Dispatcher"],
        [{ completed_by: Driver.user.id }, "Dispatcher"],
        [{ is_completed: false }, "Dispatcher"],
        [{ is_completed: true }, "Dispatcher"],
      ] as const) {
        await yard.updated(id, body, { as });
        outcomes.push(await isListed());
      }
      expect(outcomes).toEqual([true, true, false, true, false, false]);
    });

    it("returns the job to a caller that reopens it and then cannot see it any more", async () => {
      const { id } = await yard.create({ truck_id: harness.acme.truckId });
      await yard.updated(id, { is_completed: true }, { as: "Driver" });
      harness.store.update("trucks", harness.acme.truckId, { driver_id: null });
      expect(await yard.updated(id, { is_completed: false }, { as: "Driver" })).toMatchObject({ id });
      expect((await yard.update(id, { is_completed: true }, "Driver")).status).toBe(404);
      harness.store.update("trucks", harness.acme.truckId, { driver_id: harness.acme.driverId });
    });
  });

  describe("a field that describes a state", () => {
    const date = "2026-11-20T08:00:00.000000";
    const conflict = (model: string, name: string) => [409, ["state_conflict", `${model}.${name}`]];

    it.each<[string, Json, Json]>([
      ["completed_on", {}, { completed_on: date }],
      ["completed_by", {}, { completed_by: 1 }],
      ["completed_on", {}, { completed_on: date, is_completed: false }],
      ["completed_on", { is_completed: true }, { completed_on: date, is_completed: false }],
      ["completed_on", { is_completed: true }, { completed_on: null }],
      ["completed_by", { is_completed: true }, { completed_by: null }],
      ["dispatched_on", {}, { dispatched_on: date }],
      ["dispatched_on", { truck_id: 1 }, { dispatched_on: date, truck_id: null }],
      ["dispatched_on", { truck_id: 1 }, { dispatched_on: null }],
    ])("is refused by its name: %s of a job created with %j, sent as %j", async (name, made, sent) => {
      const { truckId } = harness.acme;
      const { id } = await yard.create(made.truck_id ? { truck_id: truckId } : made);
      const own = { ...sent, ...(sent.completed_by === 1 && { completed_by: harness.acme.driverId }) };
      const before = harness.store.contents();
      expect(toViolations(await yard.update(id, own))).toEqual(conflict(model, name));
      expect(harness.store.contents()).toEqual(before);
    });

    it.each(["completed_on", "completed_by", "dispatched_on"])("is refused at creation: %s", async (name) => {
      const value = name === "completed_by" ? harness.acme.driverId : date;
      const answer = await harness.call("jobs.create", {
        params: { location_id: harness.acme.locationId },
        body: aJob(harness.acme, { [name]: value }),
      });
      expect(toViolations(answer)).toEqual(conflict("CreateJobRequestBodyModel", name));
    });

    it("can be set together with the state in one request, as the fix explains", async () => {
      const { id } = await yard.create();
      expect((await yard.update(id, { completed_on: date })).body).toMatchObject({
        detail: `${model}.completed_on: only a completed job has one. Send is_completed true in the same request.`,
      });
    });
  });

  it("counts the failure of a job that is created as failed, unless times_failed is set", async () => {
    expect(await yard.create({ is_failed: true })).toMatchObject({ times_failed: 1 });
    expect(await yard.create({ is_failed: true, times_failed: 0 })).toMatchObject({ times_failed: 0 });
    expect(await yard.create()).toMatchObject({ times_failed: 0 });
  });

  it("keeps fail_reason and times_failed of a job that is retried", async () => {
    const { id } = await yard.create({ fail_reason: "Gate locked", is_failed: true });
    expect(await yard.updated(id, { is_failed: false })).toMatchObject({
      fail_reason: "Gate locked",
      times_failed: 1,
    });
  });

  it("adds 1 to times_failed for each is_failed, unless the body sets times_failed", async () => {
    const { id } = await yard.create();
    const failed = (body: Json) => yard.updated(id, body);
    expect(await failed({ fail_reason: "Gate locked", is_failed: true })).toMatchObject({ times_failed: 1 });
    expect(await failed({ is_failed: true })).toMatchObject({ times_failed: 1 });
    expect(await failed({ is_failed: false })).toMatchObject({ is_failed: false, times_failed: 1 });
    expect(await failed({ is_failed: true, times_failed: 1 })).toMatchObject({ times_failed: 2 });
    await failed({ is_failed: false });
    expect(await failed({ is_failed: true, times_failed: 7 })).toMatchObject({ times_failed: 7 });
  });

  it.each<[string, Json]>([
    ["completed", { driver_notes: "x", is_acknowledged: true, is_completed: true, truck_id: 1 }],
    ["failed", { is_failed: true, truck_id: 1 }],
    ["dispatched", { is_acknowledged: true, truck_id: 1 }],
    ["acknowledged", { is_acknowledged: true, is_deleted: true }],
    ["declined", { is_declined: true }],
    ["deleted", { driver_notes: "x", is_deleted: true }],
    ["updated", { driver_notes: "x" }],
  ])("uses the event action %s, the most specific one, for %j", async (action, body) => {
    const { id } = await yard.create();
    const left = await whatIsLeftBy(harness, () =>
      yard.updated(id, body.truck_id ? { ...body, truck_id: harness.acme.truckId } : body),
    );
    expect([left.events.map((event) => event.action), left.audit.map((entry) => entry.action)]).toEqual([
      [action],
      [action],
    ]);
  });

  it.each(apiVersions)("returns the job in the shape of %s, like jobs.dispatch", async (version) => {
    const { id } = await yard.create();
    const shown = [
      await yard.updated(id, { driver_notes: "x" }, { version }),
      await yard.dispatched(id, { truck_id: harness.acme.truckId }, { version }),
    ];
    for (const job of shown) {
      const isOld = version < "2021/11/04";
      expect(job).toHaveProperty(
        isOld ? "created_by_id" : "created_by",
        harness.acme.callers.Dispatcher.user.id,
      );
      expect(job).not.toHaveProperty(isOld ? "created_by" : "created_by_id");
      expect("locations" in (job.customer ?? {})).toBe(isOld);
    }
    expect(shown[1]).toEqual(await harness.ok("jobs.get", { params: yard.at(id), version }));
  });
});

describeOnEveryTarget("jobs.update, ids of other records", (harness) => {
  const yard = inYardOf(harness);
  let job: JobAnswer;
  let fleet: Fleet;
  let foreign: Fleet;
  const send = (changes: Json) => yard.update(job.id, changes);
  const unknown = (name: string) => [400, ["unknown_reference", `${model}.${name}`]];

  beforeAll(async () => {
    job = await yard.create();
    fleet = addFleet(harness.store, harness.acme);
    foreign = addFleet(harness.store, harness.globex);
  });

  it.each([
    ["asset_dropped_id", () => foreign.assetId],
    ["asset_id", () => foreign.assetId],
    ["asset_type_id", () => foreign.assetTypeId],
    ["completed_by", () => harness.globex.caller.user.id],
    ["customer_id", () => harness.globex.customerId],
    ["dump_location_id", () => foreign.dumpId],
    ["final_location_id", () => foreign.dumpId],
    ["requested_by", () => harness.globex.customerId],
    ["start_location_id", () => foreign.dumpId],
    ["truck_id", () => harness.globex.truckId],
  ])("refuses a missing %s and one of another tenant alike, and stores nothing", async (name, other) => {
    const before = harness.store.contents();
    for (const id of [999_999, other()])
      expect(toViolations(await send({ driver_notes: "x", [name]: id }))).toEqual(unknown(name));
    expect(harness.store.contents()).toEqual(before);
  });

  it("judges asset_dropped_id by the new type of the job", async () => {
    const refused = [400, ["not_for_type", `${model}.asset_dropped_id`]];
    const assets = { asset_dropped_id: fleet.assetId };
    expect(toViolations(await send({ ...assets, type: "P" }))).toEqual(refused);
    expect(await yard.updated(job.id, assets)).toMatchObject({ dropped_asset: { id: fleet.assetId } });
    expect(toViolations(await send({ type: "R" }))).toEqual(refused);
    expect(await yard.updated(job.id, { type: "E" })).toMatchObject(assets);
    expect(await yard.updated(job.id, { asset_dropped_id: null, type: "R" })).toMatchObject({ type: "R" });
  });

  it("judges routes by the new routes of the job", async () => {
    const settings = { add_to_routes_settings: [{ route_id: 7 }] };
    const refused = unknown("add_to_routes_settings[0].route_id");
    expect(toViolations(await send(settings))).toEqual(refused);
    expect(await yard.updated(job.id, { ...settings, add_to_routes: "7, 8" })).toMatchObject({
      add_to_routes_settings: [{ position: null, route_id: 7 }],
    });
    expect(toViolations(await send({ add_to_routes: "8" }))).toEqual(refused);
    const left = await whatIsLeftBy(harness, () => yard.updated(job.id, settings));
    expect(left.events).toEqual([]);
  });

  it("accepts a customer at the location that has the address of the job", async () => {
    const { customerId, locationId } = harness.acme;
    const params = { location_id: locationId };
    const other = await harness.ok("customers.create", {
      params,
      body: aCustomer({ addresses: [anAddress()] }),
    });
    const before = harness.store.contents();
    expect(toViolations(await send({ customer_id: other.id }))).toEqual(unknown("customer_id"));
    expect(harness.store.contents()).toEqual(before);
    // The address need not belong to the customer in requested_by.
    expect(await yard.updated(job.id, { requested_by: other.id })).toMatchObject({
      customer_id: customerId,
      requested_by: other.id,
    });
    // null means the default of jobs.create: the customer in requested_by.
    expect(toViolations(await send({ customer_id: null }))).toEqual(unknown("customer_id"));
    const back = { customer_id: null, requested_by: customerId };
    expect(await yard.updated(job.id, back)).toMatchObject({ customer_id: customerId });
  });

  it("lets a hauler keep a job or hand it back, but not give it to another hauler", async () => {
    const { haulerId } = harness.acme;
    const { id } = await yard.create({ third_party_hauler_id: haulerId });
    const as = "ThirdPartyDispatcher";
    const foreignHauler = { third_party_hauler_id: "00000000-0000-4000-8000-000000000000" };
    expect(toViolations(await yard.update(id, foreignHauler, as))).toEqual(unknown("third_party_hauler_id"));
    const given = await yard.updated(id, { third_party_hauler_id: null }, { as });
    expect(given.third_party_hauler_id).toBeNull();
    expect((await yard.update(id, { driver_notes: "x" }, as)).status).toBe(404);
  });

  it("does not let the dispatcher of a hauler claim a job that is only on a truck of the hauler", async () => {
    const { haulerId, haulerTruckId } = harness.acme;
    const as = "ThirdPartyDispatcher";
    const { id } = await yard.create({ truck_id: haulerTruckId });
    expect((await yard.update(id, { driver_notes: "x" }, as)).status).toBe(200);
    const taken = await yard.update(id, { third_party_hauler_id: haulerId }, as);
    expect(toViolations(taken)).toEqual([
      403,
      ["role_not_allowed", "UpdateJobProfileModel.third_party_hauler_id"],
    ]);
    expect((await yard.updated(id, { driver_notes: "y" }, { as })).third_party_hauler_id).toBeNull();
  });
});

describeOnEveryTarget("jobs.update, field by field", (harness) => {
  const yard = inYardOf(harness);
  let jobId: number;
  let completedId: number;
  const send = (body: unknown) => yard.update(jobId, body);

  beforeAll(async () => {
    jobId = (await yard.create()).id;
    completedId = (await yard.create({ is_completed: true, truck_id: harness.acme.truckId })).id;
  });

  const cannotBeNull = (cases: takes.FieldCases): takes.FieldCases => ({
    ...cases,
    refused: [...cases.refused, [null, "missing_value"]],
  });
  const nullable = Object.entries({ ...jobTexts, ...jobIds }).map(([name, cases]) => [
    name,
    { ...cases, taken: [...cases.taken, [null, null]] },
  ]);

  describeFields(harness, {
    model,
    fields: {
      ...Object.fromEntries(nullable),
      ...jobPlainFlags,
      "is_acknowledged, is_completed, is_declined, is_deleted, is_failed": { ...takes.boolean, taken: [] },
      customer_id: takes.id,
      last_updated_on: takes.pastDate,
      requested_by: cannotBeNull(takes.id),
      requested_on: takes.pastDate,
      "times_failed, times_rolled_over": takes.integer(0),
      type: cannotBeNull(jobTypeCases),
    },
    send,
  });

  describeFields(harness, {
    model,
    fields: jobFacts,
    send: (changes) => yard.update(completedId, changes),
  });

  it("sets the modification time to now, unless the body sets it", async () => {
    expect(await yard.updated(jobId, { last_updated_on: "2026-11-01" })).toMatchObject({
      last_updated_on: "2026-11-01T00:00:00.000000",
    });
    expect(await yard.updated(jobId, { flags: "new" })).toMatchObject({ last_updated_on: testStart });
  });
});
