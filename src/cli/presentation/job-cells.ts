import { type JobMarks, type JobState, toJobState } from "../../models/job-state.ts";
import { entriesOf, toPlace } from "./customer-cells.ts";
import type { Cells, Tones } from "./presentation.ts";

/** The columns of a job list's table, the most wanted first: a narrow screen leaves out the last ones. */
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

/** The columns that are no fields: the state of a job instead of its flags, the street instead of an id. */
export const jobCells: Cells = {
  address: ({ address_id, customer }) =>
    toPlace(entriesOf(customer, "addresses").find(({ id }) => id === address_id)),
  // Every version of JobModel has these fields.
  state: (job) => toJobState(job as JobMarks),
};

/** The colour of each state. */
export const jobTones: Tones = {
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
