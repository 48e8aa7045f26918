import { haulerId, JobAssetModel } from "./asset.ts";
import { JobAssetTypeModel } from "./asset-type.ts";
import { DispatchCustomerLocationModel } from "./customer.ts";
import { DumpDestinationModel } from "./dump-destination.ts";
import { boolean, choice, csvIds, id, integer, text, timestamp } from "./fields.ts";
import { JobImageModel, JobMaterialModel, JobReturnFullModel } from "./job-parts.ts";
import { jobTextLengths as max } from "./job-text-lengths.ts";
import { jobTypes } from "./job-types.ts";
import { allNullable, defineModel, list, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const note = (charsMax: number) => personal(text(0, charsMax));

/** These are false until set, so an answer never has null. */
export const jobFlagFields = {
  created_by_driver: boolean(),
  created_with_portal: boolean(),
  do_confirm: boolean().describe("the customer must be contacted before dispatch"),
  ends_at_customer: boolean(),
  is_acknowledged: boolean(),
  is_completed: boolean(),
  is_declined: boolean(),
  is_deleted: boolean(),
  is_failed: boolean(),
  is_paid: boolean(),
  is_separate_from_route_list: boolean().describe("keeps the job apart from any per-route job list"),
  recur_active: boolean(),
  recur_enabled: boolean(),
  require_image: boolean().describe("the driver must upload an image before completion"),
  require_material: boolean().describe("the driver must set a material before completion"),
  require_materials: boolean().describe("the driver must report weights of additional materials"),
  require_signature: boolean().describe("the driver must obtain a signature before completion"),
  require_weights: boolean().describe("the driver must set material weights before completion"),
  starts_at_customer: boolean(),
};

export const jobCountFields = {
  times_failed: integer(0).describe("attempts that failed"),
  times_rolled_over: integer(0).describe("job age in days"),
};

export const jobPlainFields = {
  add_to_routes: csvIds(2048).describe("route ids the dropped asset is assigned to, comma-separated"),
  arrived_at_destination_on: timestamp(),
  arrived_on: timestamp(),
  asset_dropped_id: id().describe("asset dropped by the job; only with type D or E"),
  asset_id: id().describe("job asset"),
  asset_quantity: integer(0),
  asset_type_id: id(),
  completed_by: id().describe("dispatcher or driver id"),
  completed_on: timestamp("past"),
  confirmed_on: timestamp("past"),
  customer_id: id(),
  customer_notes: note(max.customer_notes).describe("from customers for dispatchers"),
  departed_on: timestamp("past"),
  desired_asset_desc: personal(text(1, 2048)),
  desired_end_time: timestamp(),
  desired_start_time: timestamp(),
  dispatch_priority: choice(["H", "L", "M"]).describe("H high, M medium, L low"),
  dispatched_by_route: integer(),
  dispatched_on: timestamp(),
  dispatcher_notes: note(max.dispatcher_notes),
  driver_notes: note(max.driver_notes),
  dropped_number: text(0, 2048),
  dump_location_id: id(),
  dumped_on: timestamp(),
  fail_reason: personal(text(0, max.fail_reason)),
  final_location_id: id(),
  flags: personal(text(0, max.flags).describe("job notes")),
  invoice_notes: note(max.invoice_notes),
  job_group_id: integer(),
  last_updated_on: timestamp("past"),
  merged_with_route_id: integer(),
  original_schedule_date: timestamp(),
  pickup_date: timestamp("future").describe("completion creates a pickup job for this date"),
  pickup_item: integer(),
  priority: integer(-999_999, -1).describe("-1 is the most urgent"),
  reference_number: personal(text(1, max.reference_number)),
  removed_number: text(0, 2048),
  requested_on: timestamp("past"),
  scale_ticket: text(0, 64),
  schedule_date: timestamp().describe("scheduled completion date"),
  start_location_id: id(),
  started_on: timestamp(),
  third_party_hauler_id: haulerId,
  truck_id: id(),
  weighed_on: timestamp("past"),
};

export const jobRequiredFields = {
  address_id: id().describe("customer address identifier"),
  requested_by: id().describe("customer identifier"),
  type: choice(jobTypes).describe("D drop-off, E exchange, L live load, P pickup, R service"),
};

export const AddToRoutesSettingsModel = defineModel("AddToRoutesSettingsModel", {
  day_of_week: optional(integer(0, 6).describe("0 is Sunday")),
  frequency_weeks: optional(integer(1, 52)),
  position: optional(integer(0)),
  route_id: id().describe("one of the ids in add_to_routes"),
  starts_on: optional(timestamp()),
});

/** The fields that the store keeps as ready text. */
export const jobStoredFields = {
  ...jobFlagFields,
  ...jobCountFields,
  ...allNullable(jobPlainFields),
  ...jobRequiredFields,
  add_to_routes_settings: nullable(list(AddToRoutesSettingsModel)),
};

/** Further fields of an answer: columns, referenced records, and parts. */
export const jobComputedFields = {
  asset: nullable(JobAssetModel),
  asset_type: nullable(JobAssetTypeModel),
  created_by: nullable(id().describe("customer, dispatcher or driver id")),
  customer: nullable(DispatchCustomerLocationModel),
  dropped_asset: nullable(JobAssetModel),
  dump_location: nullable(DumpDestinationModel),
  final_location: nullable(DumpDestinationModel),
  id: id().describe("job identifier"),
  images: list(JobImageModel),
  location_id: id(),
  materials: list(JobMaterialModel),
  return_full: list(JobReturnFullModel).describe(
    "assets that came back full: the job was returned after departed_on and before dumped_on",
  ),
  start_location: nullable(DumpDestinationModel),
};

export const JobModel = defineModel("JobModel", { ...jobStoredFields, ...jobComputedFields });

export const JobListModel = defineList("JobListModel", JobModel);
