import type * as z from "zod";
import { CreateJobRequestBodyModel } from "./create-job.ts";
import { id, timestamp } from "./fields.ts";
import { jobRequiredFields } from "./job.ts";
import { defineModel, optional } from "./model.ts";

const {
  address_id: _readOnly,
  requested_by: _,
  type: __,
  ...optionalFields
} = CreateJobRequestBodyModel.shape;

/** The fields of a creation without the address, all optional; requested_by and type cannot become null (OP-44). */
export const UpdateJobProfileModel = defineModel("UpdateJobProfileModel", {
  ...optionalFields,
  requested_by: jobRequiredFields.requested_by.optional(),
  type: jobRequiredFields.type.optional(),
});

export type UpdateJobProfile = z.output<typeof UpdateJobProfileModel>;

/** An absent `truck_id` leaves the job on its truck; null returns it (OP-43). */
export const DispatchJobRequestModel = defineModel(
  "DispatchJobRequestModel",
  {
    truck_id: optional(id().describe("truck to put the job on; null takes it off its truck")),
    new_schedule_date: optional(timestamp("future").describe("becomes the schedule date")),
  },
  { minProperties: 1 },
);
