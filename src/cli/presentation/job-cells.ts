import { entriesOf, toPlace } from "./customer-cells.ts";
import type { Cells, Tones } from "./presentation.ts";

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
export const jobCells: Cells = {
  address: ({ address_id, customer }) =>
    toPlace(entriesOf(customer, "addresses").find(({ id }) => id === address_id)),
  state: (job) => states.find(([, isSo]) => isSo(job))?.[0] ?? "open",
};

/** How far a job has come is told by a colour too. */
export const jobTones: Tones = {
  state: {
    completed: "good",
    failed: "bad",
    declined: "bad",
    acknowledged: "busy",
    dispatched: "busy",
    deleted: "off",
  },
};

type Fields = Readonly<Record<string, unknown>>;

/** The first that is so counts. */
const states: [string, (job: Fields) => boolean][] = [
  ["deleted", (job) => job.is_deleted === true],
  ["completed", (job) => job.is_completed === true],
  ["failed", (job) => job.is_failed === true],
  ["declined", (job) => job.is_declined === true],
  ["acknowledged", (job) => job.is_acknowledged === true],
  ["dispatched", (job) => (job.truck_id ?? null) !== null],
];
