import * as takes from "../../support/field-cases.ts";
import { uuids } from "../../support/model-fields.ts";

const routeIds = takes.formed(
  "comma-separated Integer ids up to 2048 characters",
  ["", "12", "12,15", " 12 ,\n15\t", "9007199254740991", "1,".repeat(1023).concat("12")],
  [" \n\t", "9007199254740992", "a", ",", "1,", "1,,2", "1;2", "1 2", "1.5", "1,\u00a02"],
);

/** The text fields by the interface's table. Fields with the same rule share a row. Unset fields are null. */
export const jobTexts = {
  add_to_routes: {
    ...routeIds,
    refused: [...routeIds.refused, ["1,".repeat(1024).concat("1"), "too_long"] as const],
  },
  "arrived_at_destination_on, arrived_on, desired_end_time, desired_start_time, dumped_on, started_on":
    takes.date,
  asset_quantity: takes.integer(0),
  "confirmed_on, departed_on, weighed_on": takes.pastDate,
  "customer_notes, dispatcher_notes, driver_notes, invoice_notes": takes.text(0, 2048),
  desired_asset_desc: takes.text(1, 2048),
  dispatch_priority: takes.choice(["H", "L", "M"], ["", "h", "High", "X"]),
  "dispatched_by_route, job_group_id, merged_with_route_id, pickup_item": takes.foreignInteger,
  "dropped_number, removed_number": takes.text(0, 2048),
  "fail_reason, flags, scale_ticket": takes.text(0, 64),
  "original_schedule_date, schedule_date": takes.date,
  pickup_date: takes.futureDate,
  priority: takes.integer(-999_999, -1),
  reference_number: takes.text(1, 256),
  third_party_hauler_id: uuids,
};

/** The fields that only a completed job on a truck has. */
export const jobFacts = { completed_on: takes.pastDate, dispatched_on: takes.date };

export const jobIds = {
  "asset_dropped_id, asset_id, asset_type_id, completed_by, dump_location_id, final_location_id, start_location_id, truck_id":
    takes.id,
};

export const jobTypeCases = takes.choice(["D", "E", "L", "P", "R"], ["", "d", "S", "DE"]);

/** Boolean fields that do not affect a job's state. */
const plainFlags = [
  "created_by_driver",
  "created_with_portal",
  "do_confirm",
  "ends_at_customer",
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
].join(", ");

export const jobPlainFlags = { [plainFlags]: takes.boolean };

/**
 * Flags in groups without contradictions: acknowledged and declined exclude each other, and so do completed and
 * failed.
 */
export const jobFlags = {
  ...jobPlainFlags,
  "is_acknowledged, is_completed, is_deleted": takes.boolean,
  "is_declined, is_failed": takes.boolean,
};
