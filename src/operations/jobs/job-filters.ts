import type { CommandHints } from "../../core/operation.ts";
import type { JobFilters } from "../../store/queries/jobs.ts";
import { entriesOf, toPlace } from "../customers/customer-cells.ts";

type SentFilters = { [Name in keyof JobFilters]?: JobFilters[Name] | undefined };

/** The filters that a query of a job list gives; null keeps all. `locationId` is the path's, when it has one. */
export function toJobFilters(query: SentFilters, locationId: number | null): JobFilters {
  return {
    completed: query.completed ?? null,
    completed_by: query.completed_by ?? null,
    completed_by_driver: query.completed_by_driver ?? null,
    created_on_gte: query.created_on_gte ?? null,
    deleted: query.deleted ?? null,
    driver_id: query.driver_id ?? null,
    failed: query.failed ?? null,
    is_dispatched: query.is_dispatched ?? null,
    last_updated_gte: query.last_updated_gte ?? null,
    location_id: locationId,
    returned_by: query.returned_by ?? null,
    returned_by_driver: query.returned_by_driver ?? null,
    schedule_gt: query.schedule_gt ?? null,
    schedule_gte: query.schedule_gte ?? null,
    schedule_lt: query.schedule_lt ?? null,
    schedule_lte: query.schedule_lte ?? null,
    truck_id: query.truck_id ?? null,
  };
}

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
  state: (job) => states.find(([, isSo]) => isSo(job))?.[0] ?? "open",
};

/** How far a job has come is told by a colour too. */
export const jobTones: NonNullable<CommandHints["tones"]> = {
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
