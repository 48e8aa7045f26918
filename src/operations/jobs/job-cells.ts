import type { CommandHints } from "../../core/operation.ts";
import { type JobMarks, type JobState, toJobState } from "../../models/job-state.ts";
import { entriesOf, toPlace } from "../customers/customer-cells.ts";

/** The columns of a job list's table: what a dispatcher asks of it first, because a narrow screen leaves out the last. */
export const jobColumns = [
  "id",
  "type",
  "state",
  "schedule_date",
  "truck_id",
  "customer.name",
  "address",
  "priority",
  "reference_number",
];

/** What a table of jobs shows in place of flags and ids: how far each has come, and the street it is at. */
export const jobCells: NonNullable<CommandHints["cells"]> = {
  address: ({ address_id, customer }) =>
    toPlace(entriesOf(customer, "addresses").find(({ id }) => id === address_id)),
  // A record as it is answered has the marks of a job, at every version.
  state: (job) => toJobState(job as JobMarks),
};

/** How far a job has come is told by a colour too. */
export const jobTones: NonNullable<CommandHints["tones"]> = {
  state: {
    dispatched: "busy",
    acknowledged: "busy",
    "in progress": "busy",
    declined: "bad",
    failed: "bad",
    completed: "good",
    deleted: "off",
  } as const satisfies Partial<Record<JobState, unknown>>,
};
