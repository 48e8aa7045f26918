import type * as z from "zod";
import { CreateJobRequestBodyModel, jobDefaults } from "./create-job.ts";
import { boolean, id, timestamp } from "./fields.ts";
import { jobCountFields, jobFlagFields, jobRequiredFields } from "./job.ts";
import { allResettable, defineModel, list, optional, replaceable } from "./model.ts";

const { address_id: _readOnly, ...createFields } = CreateJobRequestBodyModel.shape;

/** The fields of a creation without the address, all optional; requested_by and type cannot become null. */
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

/** Where a job is put among the others of its truck and day: exactly one of the three. */
export const MoveJobModel = defineModel(
  "MoveJobModel",
  {
    before: optional(id().describe("job of the same truck and day that it is done before")),
    first: optional(boolean().describe("it is done first")),
    last: optional(boolean().describe("it is done last")),
  },
  { minProperties: 1 },
);

/** An order for the jobs of a truck on a day. */
export const OrderJobsModel = defineModel("OrderJobsModel", {
  jobs: list(id(), { distinct: true, max: 1000, min: 1 }).describe(
    "jobs of the truck on one day, in the order in which they are to be done; its others follow as they were",
  ),
  was: optional(list(id(), { distinct: true, max: 1000 })).describe(
    "all its jobs of that day in the order that is replaced; refused where it is another by now",
  ),
});

/** The order that the jobs of a truck have on a day. */
export const JobOrderModel = defineModel("JobOrderModel", {
  changed: list(id()).describe("the jobs whose priority was changed for it"),
  jobs: list(id()).describe("in the order in which they are to be done"),
  truck_id: id(),
});
