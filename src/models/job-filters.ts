import { boolean, choice, id, idAsText, text, timestamp } from "./fields.ts";
import { jobCursor } from "./job-cursor.ts";
import { extension, type FilterValues, optional } from "./model.ts";
import { paging } from "./page.ts";

const past = (description: string) => optional(timestamp("past").describe(description));

/** Date-time filters are inclusive, except last_updated_gte. */
export const jobFilters = {
  completed: optional(boolean().describe("true only completed, false only incomplete")),
  completed_by: optional(id().describe("only jobs that this driver or dispatcher completed")),
  completed_by_driver: optional(boolean().describe("true only completed by a driver, false only incomplete")),
  completed_gte: optional(timestamp().describe("completed on or after")),
  completed_lt: optional(timestamp().describe("completed before")),
  created_on_gte: past("created on or after"),
  customer_id: optional(id().describe("only jobs of this customer")),
  deleted: optional(boolean().describe("true only active records, false only inactive")),
  driver_id: optional(idAsText(64).describe("only records of this driver")),
  failed: optional(boolean().describe("true only failed, false only not failed")),
  is_dispatched: optional(boolean().describe("true only jobs with a truck, false only jobs without one")),
  last_updated_gte: past("only records updated after"),
  reference_number: optional(
    text(1, 256).describe("only jobs with exactly this reference number").meta(extension),
  ),
  returned_by: optional(id().describe("only jobs that this driver or dispatcher returned")),
  returned_by_driver: optional(boolean().describe("true only records returned by a driver")),
  schedule_from: optional(timestamp().describe("scheduled on or after, also in the future").meta(extension)),
  schedule_gt: past("scheduled after"),
  schedule_gte: past("scheduled on or after"),
  schedule_lt: optional(timestamp().describe("scheduled before")),
  schedule_lte: optional(timestamp().describe("scheduled on or before")),
  truck_id: optional(id().describe("only records of this truck")),
};

export type JobFilters = FilterValues<typeof jobFilters>;

export const jobPaging = {
  ...paging,
  order: optional(
    choice(["schedule", "id"]).describe(
      "schedule (default), or id, which keeps the position of a job that changes",
    ),
  ),
  page_after: optional(
    jobCursor().describe(
      "continue after this job, also beyond the 100,000th: its id, or its position in the order",
    ),
  ),
};
