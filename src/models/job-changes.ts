import type * as z from "zod";
import { CreateJobRequestBodyModel, jobDefaults } from "./create-job.ts";
import { id, timestamp } from "./fields.ts";
import { jobCountFields, jobFlagFields, jobRequiredFields } from "./job.ts";
import { allResettable, defineModel, optional, replaceable } from "./model.ts";

const { address_id: _readOnly, ...createFields } = CreateJobRequestBodyModel.shape;

/** The fields of a creation without the address, all optional; requested_by and type cannot become null (OP-44). */
export const UpdateJobProfileModel = defineModel("UpdateJobProfileModel", {
  ...createFields,
  ...allResettable({ ...jobFlagFields, ...jobCountFields }, jobDefaults),
  requested_by: replaceable(jobRequiredFields.requested_by),
  type: replaceable(jobRequiredFields.type),
});

export type UpdateJobProfile = z.output<typeof UpdateJobProfileModel>;

/** An absent `truck_id` leaves the job on its truck; null returns it (OP-43). */
export const DispatchJobRequestModel = defineModel(
  "DispatchJobRequestModel",
  {
    truck_id: optional(id().describe("truck to put the job on; null takes it off its truck")),
    new_schedule_date: replaceable(timestamp("future").describe("becomes the schedule date")),
  },
  { minProperties: 1 },
);
