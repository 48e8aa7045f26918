import { describe, expect, it } from "vitest";
import { aJob, type Json } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

/** The JobModel of a job that was created with only the required fields. */
const untouched = {
  add_to_routes: null,
  add_to_routes_settings: null,
  arrived_at_destination_on: null,
  arrived_on: null,
  asset: null,
  asset_dropped_id: null,
  asset_id: null,
  asset_quantity: null,
  asset_type: null,
  asset_type_id: null,
  completed_by: null,
  completed_on: null,
  confirmed_on: null,
  created_by_driver: false,
  created_with_portal: false,
  customer_notes: null,
  departed_on: null,
  desired_asset_desc: null,
  desired_end_time: null,
  desired_start_time: null,
  dispatch_priority: null,
  dispatched_by_route: null,
  dispatched_on: null,
  dispatcher_notes: null,
  do_confirm: false,
  driver_notes: null,
  dropped_asset: null,
  dropped_number: null,
  dump_location: null,
  dump_location_id: null,
  dumped_on: null,
  ends_at_customer: false,
  fail_reason: null,
  final_location: null,
  final_location_id: null,
  flags: null,
  id: expect.any(Number),
  images: [],
  invoice_notes: null,
  is_acknowledged: false,
  is_completed: false,
  is_declined: false,
  is_deleted: false,
  is_failed: false,
  is_paid: false,
  is_separate_from_route_list: false,
  job_group_id: null,
  last_updated_on: testStart,
  materials: [],
  merged_with_route_id: null,
  original_schedule_date: null,
  pickup_date: null,
  pickup_item: null,
  priority: null,
  recur_active: false,
  recur_enabled: false,
  reference_number: null,
  removed_number: null,
  requested_on: testStart,
  require_image: false,
  require_material: false,
  require_materials: false,
  require_signature: false,
  require_weights: false,
  return_full: [],
  scale_ticket: null,
  schedule_date: null,
  start_location: null,
  start_location_id: null,
  started_on: null,
  starts_at_customer: false,
  third_party_hauler_id: null,
  times_failed: 0,
  times_rolled_over: 0,
  truck_id: null,
  weighed_on: null,
};

describeOnEveryTarget("jobs.create", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const create = (changes: Json = {}) =>
    harness.ok("jobs.create", { params: atYard(), body: aJob(harness.acme, changes) });

  it("returns every field of the new job, with its customer and the defaults", async () => {
    const { acme } = harness;
    const customer = await harness.ok("locations.customer", {
      params: { ...atYard(), customer_id: acme.customerId },
    });
    expect(await create({ type: "P" })).toEqual({
      ...untouched,
      address_id: acme.addressId,
      created_by: acme.callers.Dispatcher.user.id,
      customer,
      customer_id: acme.customerId,
      location_id: acme.locationId,
      requested_by: acme.customerId,
      type: "P",
    });
  });

  describe("the defaults:", () => {
    it("original_schedule_date defaults to schedule_date", async () => {
      expect(await create({ schedule_date: "2026-12-01" })).toMatchObject({
        original_schedule_date: "2026-12-01T00:00:00.000000",
        schedule_date: "2026-12-01T00:00:00.000000",
      });
      expect(
        await create({ original_schedule_date: "2026-11-01", schedule_date: "2026-12-01" }),
      ).toMatchObject({
        original_schedule_date: "2026-11-01T00:00:00.000000",
      });
    });

    it("a truck dispatches the job now, unless dispatched_on is set", async () => {
      const { truckId } = harness.acme;
      expect(await create({ truck_id: truckId })).toMatchObject({
        dispatched_on: testStart,
        truck_id: truckId,
      });
      expect(await create({ dispatched_on: "2026-11-20", truck_id: truckId })).toMatchObject({
        dispatched_on: "2026-11-20T00:00:00.000000",
      });
    });

    it("created_by is the caller; created_by_driver is true if the caller acts as a driver", async () => {
      const dispatcher = await harness.addCaller({ roles: ["Dispatcher"] });
      const both = await harness.addCaller({
        driver_id: harness.acme.driverId,
        roles: ["Dispatcher", "Driver"],
      });
      for (const [as, isDriver] of [
        [dispatcher, false],
        [both, true],
      ] as const) {
        const job = await harness.ok("jobs.create", { as, params: atYard(), body: aJob(harness.acme) });
        expect(job).toMatchObject({ created_by: as.user.id, created_by_driver: isDriver });
      }
      expect(await create({ created_by_driver: true })).toMatchObject({ created_by_driver: true });
    });

    it("a job created as completed was completed by the caller, now, unless other values are set", async () => {
      const { user } = harness.acme.callers.Dispatcher;
      expect(await create({ is_completed: true })).toMatchObject({
        completed_by: user.id,
        completed_on: testStart,
      });
      const other = harness.acme.callers.Driver.user.id;
      const given = { completed_by: other, completed_on: "2026-11-20", is_completed: true };
      expect(await create(given)).toMatchObject({ ...given, completed_on: "2026-11-20T00:00:00.000000" });
    });
  });

  it.each([
    [{ is_completed: true, is_failed: true }, "completed and failed", "is_failed"],
    [{ is_acknowledged: true, is_declined: true }, "acknowledged and declined", "is_declined"],
  ])("refuses the contradiction %j", async (changes, words, name) => {
    const before = harness.store.contents();
    const body = aJob(harness.acme, changes);
    const error = await harness.refused("jobs.create", { params: atYard(), body });
    expect(error).toMatchObject({
      status: 409,
      code: "state_conflict",
      detail: expect.stringContaining(words),
      field: `CreateJobRequestBodyModel.${name}`,
    });
    expect(harness.store.contents()).toEqual(before);
  });
});
