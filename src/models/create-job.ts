import type * as z from "zod";
import {
  AddToRoutesSettingsModel,
  jobCountFields,
  jobFlagFields,
  jobPlainFields,
  jobRequiredFields,
} from "./job.ts";
import { allOptional, defineModel, list, optional, type Shape } from "./model.ts";

export const CreateJobRequestBodyModel = defineModel("CreateJobRequestBodyModel", {
  ...allOptional({ ...jobFlagFields, ...jobCountFields, ...jobPlainFields }),
  add_to_routes_settings: optional(
    list(AddToRoutesSettingsModel, { max: 100 }).describe("when each route visits the asset"),
  ),
  ...jobRequiredFields,
});

export type CreateJobRequestBody = z.output<typeof CreateJobRequestBodyModel>;

/** Flags default to false and counts to 0, so these fields are never null. */
export const jobDefaults = { ...toEach(jobFlagFields, false), ...toEach(jobCountFields, 0) };

function toEach<S extends Shape, T>(shape: S, value: T): Record<keyof S, T> {
  // Object.fromEntries loses the keys, which are the shape's.
  return Object.fromEntries(Object.keys(shape).map((name) => [name, value])) as Record<keyof S, T>;
}
