import type * as z from "zod";
import { CreateJobRequestBodyModel, jobDefaults } from "./create-job.ts";
import { boolean, id, timestamp } from "./fields.ts";
import { jobCountFields, jobFlagFields, jobRequiredFields } from "./job.ts";
import { allResettable, defineModel, list, optional, replaceable } from "./model.ts";

const { address_id: _readOnly, ...createFields } = CreateJobRequestBodyModel.shape;

/** The fields of a creation without the address. requested_by and type cannot become null. */
export const UpdateJobProfileModel = defineModel("UpdateJobProfileModel", {
  ...createFields,
  ...allResettable({ ...jobFlagFields, ...jobCountFields }, jobDefaults),
  requested_by: replaceable(jobRequiredFields.requested_by),
  type: replaceable(jobRequiredFields.type),
});

export type UpdateJobProfile = z.output<typeof UpdateJobProfileModel>;

/** An absent `truck_id` leaves the job on its truck; null returns it. */
export const DispatchJobRequestModel = defineModel(
  "DispatchJobRequestModel",
  {
    truck_id: optional(id().describe("truck to put the job on; null takes it off its truck")),
    new_schedule_date: replaceable(timestamp("future").describe("becomes the schedule date")),
  },
  { minProperties: 1 },
);

/** Exactly one of the three. */
export const MoveJobModel = defineModel(
  "MoveJobModel",
  {
    before: optional(id().describe("job of the same truck and day that comes after it")),
    first: optional(boolean().describe("it becomes the first")),
    last: optional(boolean().describe("it becomes the last")),
  },
  { minProperties: 1 },
);

export const OrderJobsModel = defineModel("OrderJobsModel", {
  jobs: list(id(), { distinct: true, max: 1000, min: 1 }).describe(
    "jobs of the truck on one day, in their new order; the others follow in their current order",
  ),
  was: optional(
    list(id(), { distinct: true, max: 1000 }).describe(
      "all its jobs of that day in the order you saw; refused if the order has changed",
    ),
  ),
});

export const JobOrderModel = defineModel("JobOrderModel", {
  changed: list(id()).describe("the jobs whose priority changed"),
  jobs: list(id()).describe("in their order"),
  truck_id: id().describe("the truck of the jobs"),
});
