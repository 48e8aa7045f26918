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

/** The table of the interface, row by row; ids of records have their own tests (OP-23). */
const fields = {
  add_to_routes: takes.optional({
    ...routeIds,
    refused: [...routeIds.refused, ["1,".repeat(1024).concat("1"), "too_long"]],
  }),
  arrived_at_destination_on: takes.optional(takes.date),
  arrived_on: takes.optional(takes.date),
  asset_dropped_id: takes.optional(takes.id),
  asset_id: takes.optional(takes.id),
  asset_quantity: takes.optional(takes.integer(0)),
  asset_type_id: takes.optional(takes.id),
  completed_by: takes.optional(takes.id),
  completed_on: takes.optional(takes.pastDate),
  confirmed_on: takes.optional(takes.pastDate),
  customer_notes: takes.optional(takes.text(0, 2048)),
  departed_on: takes.optional(takes.pastDate),
  desired_asset_desc: takes.optional(takes.text(1, 2048)),
  desired_end_time: takes.optional(takes.date),
  desired_start_time: takes.optional(takes.date),
  dispatch_priority: takes.optional(takes.choice(["H", "L", "M"], ["", "h", "High", "X"])),
  dispatched_by_route: takes.optional(takes.foreignInteger),
  dispatched_on: takes.optional(takes.date),
  dispatcher_notes: takes.optional(takes.text(0, 2048)),
  driver_notes: takes.optional(takes.text(0, 2048)),
  dropped_number: takes.optional(takes.text(0, 2048)),
  dump_location_id: takes.optional(takes.id),
  dumped_on: takes.optional(takes.date),
  fail_reason: takes.optional(takes.text(0, 64)),
  final_location_id: takes.optional(takes.id),
  flags: takes.optional(takes.text(0, 64)),
  invoice_notes: takes.optional(takes.text(0, 2048)),
  job_group_id: takes.optional(takes.foreignInteger),
  last_updated_on: takes.optional(takes.pastDate, testStart),
  merged_with_route_id: takes.optional(takes.foreignInteger),
  original_schedule_date: takes.optional(takes.date),
  pickup_date: takes.optional(takes.futureDate),
  pickup_item: takes.optional(takes.foreignInteger),
  priority: takes.optional(takes.integer(-999_999, -1)),
  reference_number: takes.optional(takes.text(1, 256)),
  removed_number: takes.optional(takes.text(0, 2048)),
  requested_on: takes.optional(takes.pastDate, testStart),
  scale_ticket: takes.optional(takes.text(0, 64)),
  schedule_date: takes.optional(takes.date),
  start_location_id: takes.optional(takes.id),
  started_on: takes.optional(takes.date),
  third_party_hauler_id: takes.optional(uuids),
  times_failed: takes.optional(takes.integer(0), 0),
  times_rolled_over: takes.optional(takes.integer(0), 0),
  truck_id: takes.optional(takes.id),
  type: takes.required(takes.choice(["D", "E", "L", "P", "R"], ["", "d", "S", "DE"])),
  weighed_on: takes.optional(takes.pastDate),
};

const booleans = [
  "created_by_driver",
  "created_with_portal",
  "do_confirm",
  "ends_at_customer",
  "is_acknowledged",
  "is_completed",
  "is_declined",
  "is_deleted",
  "is_failed",
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
];

const model = "CreateJobRequestBodyModel";

describeOnEveryTarget("jobs.create, field by field", (bed) => {
  const send = (changes: Json) => create(bed, changes);

  describeFields(bed, { model, fields, send });
  describeFields(bed, {
    model,
    fields: Object.fromEntries(booleans.map((name) => [name, takes.optional(takes.boolean, false)])),
    send,
  });
  describeFields(bed, {
    model,
    fields: {
      address_id: takes.required(takes.id),
      requested_by: takes.required(takes.id),
      customer_id: takes.id,
    },
    send,
  });

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
