import { boolean, id } from "./fields.ts";
import { defineModel, optional } from "./model.ts";

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
