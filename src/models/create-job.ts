import type * as z from "zod";
import {
  AddToRoutesSettingsModel,
  jobCountFields,
  jobFlagFields,
  jobPlainFields,
  jobRequiredFields,
} from "./job.ts";
import { allOptional, defineModel, list, optional } from "./model.ts";

export const CreateJobRequestBodyModel = defineModel("CreateJobRequestBodyModel", {
  ...allOptional({ ...jobFlagFields, ...jobCountFields, ...jobPlainFields }),
  add_to_routes_settings: optional(list(AddToRoutesSettingsModel, { max: 100 })),
  ...jobRequiredFields,
});

export type CreateJobRequestBody = z.output<typeof CreateJobRequestBodyModel>;

/** The names of the Boolean fields that are false until set. */
export const jobFlagNames = Object.keys(jobFlagFields) as (keyof typeof jobFlagFields)[];

/** The names of the counts, which are 0 until set. */
export const jobCountNames = Object.keys(jobCountFields) as (keyof typeof jobCountFields)[];
