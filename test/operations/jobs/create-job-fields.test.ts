import { describe, expect, it } from "vitest";
import type { Bed } from "../../support/bed.ts";
import { aJob, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { uuids } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

const routeIds = takes.formed(
  "comma-separated Integer ids up to 2048 characters",
  ["", "12", "12,15", " 12 ,\n15\t", "1,".repeat(1023).concat("12")],
  ["a", ",", "1,", "1,,2", "1;2", "1 2", "1.5", "1,\u00a02"],
);

/** The table of the interface; rows with the same rule are tried together. Ids of records have their own tests (OP-23). */
const fields = {
  add_to_routes: takes.optional({
    ...routeIds,
    refused: [...routeIds.refused, ["1,".repeat(1024).concat("1"), "too_long"]],
  }),
  address_id: takes.required(takes.id),
  "arrived_at_destination_on, arrived_on, desired_end_time, desired_start_time, dispatched_on, dumped_on, started_on":
    takes.optional(takes.date),
  "asset_dropped_id, asset_id, asset_type_id, completed_by, dump_location_id, final_location_id, start_location_id, truck_id":
    takes.optional(takes.id),
  asset_quantity: takes.optional(takes.integer(0)),
  "completed_on, confirmed_on, departed_on, weighed_on": takes.optional(takes.pastDate),
  customer_id: takes.id,
  "customer_notes, dispatcher_notes, driver_notes, invoice_notes": takes.optional(takes.text(0, 2048)),
  desired_asset_desc: takes.optional(takes.text(1, 2048)),
  dispatch_priority: takes.optional(takes.choice(["H", "L", "M"], ["", "h", "High", "X"])),
  "dispatched_by_route, job_group_id, merged_with_route_id, pickup_item": takes.optional(
    takes.foreignInteger,
  ),
  "dropped_number, removed_number": takes.optional(takes.text(0, 2048)),
  "fail_reason, flags, scale_ticket": takes.optional(takes.text(0, 64)),
  "last_updated_on, requested_on": takes.optional(takes.pastDate, testStart),
  "original_schedule_date, schedule_date": takes.optional(takes.date),
  pickup_date: takes.optional(takes.futureDate),
  priority: takes.optional(takes.integer(-999_999, -1)),
  reference_number: takes.optional(takes.text(1, 256)),
  requested_by: takes.required(takes.id),
  third_party_hauler_id: takes.optional(uuids),
  "times_failed, times_rolled_over": takes.optional(takes.integer(0), 0),
  type: takes.required(takes.choice(["D", "E", "L", "P", "R"], ["", "d", "S", "DE"])),
  // No job is acknowledged and declined, nor completed and failed at once.
  [[
    "created_by_driver",
    "created_with_portal",
    "do_confirm",
    "ends_at_customer",
    "is_acknowledged",
    "is_completed",
    "is_deleted",
    "is_paid",
    "is_separate_from_route_list",
    "recur_active",
    "recur_enabled",
    "require_image",
    "require_material",
    "require_materials",
    "require_signature",
    "require_weights",
    "starts_at_customer",
  ].join(", ")]: takes.optional(takes.boolean, false),
  "is_declined, is_failed": takes.optional(takes.boolean, false),
};

const model = "CreateJobRequestBodyModel";

describeOnEveryTarget("jobs.create, field by field", (bed) => {
  describeFields(bed, { model, fields, send: (changes) => create(bed, changes) });

  describe("add_to_routes_settings", () => {
    const shown = (body: Json) => (body.add_to_routes_settings as unknown[])[0];

    describeFields(bed, {
      model: `${model}.add_to_routes_settings[0]`,
      fields: {
        day_of_week: takes.optional(takes.integer(0, 6)),
        frequency_weeks: takes.optional(takes.integer(1, 52)),
        position: takes.optional(takes.integer(0)),
        route_id: takes.required(takes.id),
        starts_on: takes.optional(takes.date),
      },
      send: (changes) =>
        create(bed, { add_to_routes: "7", add_to_routes_settings: [{ route_id: 7, ...changes }] }),
      shown,
    });

    it("is null when unset, and keeps the order of its entries", async () => {
      const answers = [await create(bed, {}), await create(bed, { add_to_routes_settings: null })];
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 200, body: { add_to_routes_settings: null } });
      const nothing = { day_of_week: null, frequency_weeks: null, position: null, starts_on: null };
      const settings = [{ route_id: 9 }, { position: 0, route_id: 7 }];
      expect(await create(bed, { add_to_routes: "7, 9", add_to_routes_settings: settings })).toMatchObject({
        status: 200,
        body: { add_to_routes_settings: settings.map((entry) => ({ ...nothing, ...entry })) },
      });
      expect((await create(bed, { add_to_routes_settings: [] })).body).toMatchObject({
        add_to_routes_settings: [],
      });
    });

    it("names routes that stand in add_to_routes only", async () => {
      const settings = [{ route_id: 12 }, { route_id: 1 }, { route_id: 2 }];
      for (const [routes, missing] of [
        ["12, 1", [2]],
        [" 2 ", [0, 1]],
        [null, [0, 1, 2]],
      ] as const) {
        const answer = await create(bed, { add_to_routes: routes, add_to_routes_settings: settings });
        const field = (index: number) => `${model}.add_to_routes_settings[${index}].route_id`;
        expect(toViolations(answer)).toEqual([
          400,
          ...missing.map((index) => ["unknown_reference", field(index)]),
        ]);
      }
    });

    it.each([["7"], [{}], [7]])("is not %j", async (value) => {
      const answer = await create(bed, { add_to_routes: "7", add_to_routes_settings: value });
      expect(toViolations(answer)).toEqual([400, ["wrong_type", `${model}.add_to_routes_settings`]]);
    });
  });
});

function create(bed: Bed, changes: Json) {
  const { acme } = bed;
  return bed.call("jobs.create", { params: { location_id: acme.locationId }, body: aJob(acme, changes) });
}
