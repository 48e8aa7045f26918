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

/** False until set, so a response never has null. */
export const jobFlagFields = {
  created_by_driver: boolean().describe("a driver created the job"),
  created_with_portal: boolean().describe("the record came through a portal"),
  do_confirm: boolean().describe("the customer must be contacted before dispatch"),
  ends_at_customer: boolean().describe("the job ends at the customer"),
  is_acknowledged: boolean().describe("the driver has acknowledged the job"),
  is_completed: boolean().describe("the work is done"),
  is_declined: boolean().describe("the driver has declined the job"),
  is_deleted: boolean().describe("the job is removed from work"),
  is_failed: boolean().describe("the work was tried and failed"),
  is_paid: boolean().describe("the job is paid, stored as given"),
  is_separate_from_route_list: boolean().describe("keeps the job apart from any per-route job list"),
  recur_active: boolean().describe("the recurrence of the job is active, stored as given"),
  recur_enabled: boolean().describe("the job can recur, stored as given"),
  require_image: boolean().describe("the driver must upload an image before completion"),
  require_material: boolean().describe("the driver must set a material before completion"),
  require_materials: boolean().describe("the driver must report weights of additional materials"),
  require_signature: boolean().describe("the driver must obtain a signature before completion"),
  require_weights: boolean().describe("the driver must set material weights before completion"),
  starts_at_customer: boolean().describe("the job begins at the customer"),
};

export const jobCountFields = {
  times_failed: integer(0).describe("attempts that failed"),
  times_rolled_over: integer(0).describe("job age in days"),
};

export const jobPlainFields = {
  add_to_routes: csvIds(2048).describe("route ids the dropped asset is assigned to, comma-separated"),
  arrived_at_destination_on: timestamp().describe("when the job began at its destination"),
  arrived_on: timestamp().describe("when the drive began, entered by the driver"),
  asset_dropped_id: id().describe("asset dropped by the job; only with type D or E"),
  asset_id: id().describe("asset that the job serves; meant for types E, P, and R"),
  asset_quantity: integer(0).describe("how many assets of a cluster the job serves"),
  asset_type_id: id().describe("type of the asset; meant for jobs of type D, E, or L"),
  completed_by: id().describe("dispatcher or driver that completed the job"),
  completed_on: timestamp("past").describe("when the job was completed"),
  confirmed_on: timestamp("past").describe("when the customer confirmed the job"),
  customer_id: id().describe("customer the job is for; default: the one that requested it"),
  customer_notes: note(max.customer_notes).describe("from customers for dispatchers"),
  departed_on: timestamp("past").describe("when the truck departed"),
  desired_asset_desc: personal(text(1, 2048)).describe("the asset that the customer wants, in words"),
  desired_end_time: timestamp().describe("estimated completion time"),
  desired_start_time: timestamp().describe("start time that the customer asked for"),
  dispatch_priority: choice(["H", "L", "M"]).describe("H high, M medium, L low"),
  dispatched_by_route: integer().describe("route that dispatched the job"),
  dispatched_on: timestamp().describe("when the job was put on a truck"),
  dispatcher_notes: note(max.dispatcher_notes).describe("notes of dispatchers"),
  driver_notes: note(max.driver_notes).describe("notes for and from the driver"),
  dropped_number: text(0, 2048).describe("asset number of the dropped asset, stored as given"),
  dump_location_id: id().describe("place where the asset or cluster is emptied"),
  dumped_on: timestamp().describe("when the asset or cluster was emptied"),
  fail_reason: personal(text(0, max.fail_reason)).describe("why the job failed, as the driver chose it"),
  final_location_id: id().describe("dump destination where the job ends"),
  flags: personal(text(0, max.flags).describe("job notes")),
  invoice_notes: note(max.invoice_notes).describe("notes for the invoice"),
  job_group_id: integer().describe("group of jobs, stored as given"),
  last_updated_on: timestamp("past").describe("when the job last changed"),
  merged_with_route_id: integer().describe("route that the job is merged into"),
  original_schedule_date: timestamp().describe("first schedule date; default: the schedule date"),
  pickup_date: timestamp("future").describe("completion creates a pickup job for this date"),
  pickup_item: integer().describe("item to pick up, stored as given"),
  priority: integer(-999_999, -1).describe("place among jobs of the same time; -1 is the most urgent"),
  reference_number: personal(text(1, max.reference_number)).describe(
    "number of the job in another system, such as a purchase order",
  ),
  removed_number: text(0, 2048).describe("asset number of the removed asset, stored as given"),
  requested_on: timestamp("past").describe("when the customer requested the job"),
  scale_ticket: text(0, 64).describe("scale ticket number"),
  schedule_date: timestamp().describe("scheduled completion date"),
  start_location_id: id().describe("dump destination where the job begins"),
  started_on: timestamp().describe("when the driver started the job"),
  third_party_hauler_id: haulerId,
  truck_id: id().describe("truck that does the job"),
  weighed_on: timestamp("past").describe("when the weight of the truck was entered"),
};

export const jobRequiredFields = {
  address_id: id().describe("address of the customer where the work is"),
  requested_by: id().describe("customer that requests the job"),
  type: choice(jobTypes).describe("D drop-off, E exchange, L live load, P pickup, R service"),
};

export const AddToRoutesSettingsModel = defineModel("AddToRoutesSettingsModel", {
  day_of_week: optional(integer(0, 6).describe("0 is Sunday")),
  frequency_weeks: optional(integer(1, 52).describe("weeks from one visit to the next")),
  position: optional(integer(0).describe("position on the route")),
  route_id: id().describe("one of the ids in add_to_routes"),
  starts_on: optional(timestamp().describe("first day on the route")),
});

/** Stored as JSON text. */
export const jobStoredFields = {
  ...jobFlagFields,
  ...jobCountFields,
  ...allNullable(jobPlainFields),
  ...jobRequiredFields,
  add_to_routes_settings: nullable(list(AddToRoutesSettingsModel).describe("when routes include the job")),
};

/** Columns, referenced records, and parts. */
export const jobComputedFields = {
  asset: nullable(JobAssetModel).describe("the whole record of asset_id"),
  asset_type: nullable(JobAssetTypeModel).describe("the whole record of asset_type_id"),
  created_by: nullable(id().describe("customer, dispatcher or driver id")),
  customer: nullable(DispatchCustomerLocationModel).describe("the whole record of customer_id"),
  dropped_asset: nullable(JobAssetModel).describe("the whole record of asset_dropped_id"),
  dump_location: nullable(DumpDestinationModel).describe("the whole record of dump_location_id"),
  final_location: nullable(DumpDestinationModel).describe("the whole record of final_location_id"),
  id: id().describe("job identifier"),
  images: list(JobImageModel).describe("photographs and signatures"),
  location_id: id().describe("the location that dispatches the job"),
  materials: list(JobMaterialModel).describe("what the job moves, with weights"),
  return_full: list(JobReturnFullModel).describe(
    "assets that came back full: the job was returned after departed_on and before dumped_on",
  ),
  start_location: nullable(DumpDestinationModel).describe("the whole record of start_location_id"),
};

export const JobModel = defineModel("JobModel", { ...jobStoredFields, ...jobComputedFields });

export const JobListModel = defineList("JobListModel", JobModel);
