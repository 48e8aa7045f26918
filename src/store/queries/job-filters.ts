import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { JobFilters } from "../../models/job-filters.ts";
import type { TenantAccess } from "../access/access.ts";
import { type Conditions, filterRows, hasOnly } from "./filters.ts";
import { keepFlagged, keepScheduled } from "./job-order.ts";
import type { Matching } from "./pages.ts";
import { findIdsOf, withOwnNumber } from "./people.ts";
import { mayHaveReference } from "./reference-filter.ts";

export interface ListFilters extends JobFilters {
  location_id?: number;
}

type Filters = Omit<ListFilters, PersonFilter> & { [Name in PersonFilter]?: readonly number[] };
type PersonFilter = "completed_by" | "returned_by";

type Jobs = Matching<"jobs">;

export async function filterJobs(access: TenantAccess, filters: ListFilters): Promise<Jobs> {
  const { completed_by, returned_by, ...others } = filters;
  const known: Filters = {
    ...others,
    ...(completed_by && { completed_by: await findIdsOf(access, completed_by) }),
    ...(returned_by && { returned_by: await findIdsOf(access, returned_by) }),
  };
  return filterRows(access, access.select("jobs"), known, conditions);
}

/** Counts matching jobs in constant time. null if `job_counts` cannot answer for these filters or this caller. */
export async function sumJobs(access: TenantAccess, filters: ListFilters): Promise<number | null> {
  const { completed_by, returned_by, ...rest } = filters;
  const others: Filters = rest;
  const isSummed = !completed_by && !returned_by && hasOnly(others, conditions, summed);
  if (!isSummed || !access.sumJobs) return null;
  return access.sumJobs((jobs) => filterRows(access, jobs, others, conditions));
}

const summed: readonly (keyof Filters)[] = ["completed", "deleted", "failed", "is_dispatched", "location_id"];

/** _gte and _lte are inclusive, except last_updated_gte. */
const conditions: Conditions<"jobs", Filters> = {
  completed: (jobs, value) => keepFlagged(jobs, "is_completed", value),
  completed_by: (jobs, ids) => keepOf(jobs, "completed_by", ids),
  // False means incomplete jobs, not jobs that others completed.
  completed_by_driver: (jobs, value) =>
    value ? jobs.where("completed_by_driver", "=", true) : keepFlagged(jobs, "is_completed", false),
  // A change is never earlier than its completion, so the index of changes finds the candidates.
  completed_gte: (jobs, value, access) => {
    const changed = access.selectUnseen("jobs").where("changed_on", ">=", value).select("id");
    return keepCompleted(jobs.where("jobs.id", "in", changed), (on) => sql`${on} >= ${value}`, access);
  },
  completed_lt: (jobs, value, access) => keepCompleted(jobs, (on) => sql`${on} < ${value}`, access),
  created_on_gte: (jobs, value) => jobs.where("created_on", ">=", value),
  customer_id: (jobs, value) => jobs.where("customer_id", "=", value),
  // As the interface says: true keeps only active records.
  deleted: (jobs, value) => keepFlagged(jobs, "is_deleted", !value),
  driver_id: keepOfDriver,
  failed: (jobs, value) => keepFlagged(jobs, "is_failed", value),
  is_dispatched: (jobs, value) => jobs.where("truck_id", value ? "is not" : "is", null),
  last_updated_gte: (jobs, value) => jobs.where("changed_on", ">", value),
  location_id: (jobs, value) => jobs.where("location_id", "=", value),
  reference_number: (jobs, value, access) =>
    jobs
      .where(mayHaveReference(access, "jobs", value))
      .where(
        sql<SqlBool>`replace(jobs.record, ${`"reference_number":${JSON.stringify(value)}`}, '') <> jobs.record`,
      ),
  returned_by: (jobs, ids) => keepOf(jobs, "returned_by", ids),
  returned_by_driver: (jobs, value) => jobs.where("returned_by_driver", "=", value),
  schedule_from: (jobs, value) => keepScheduled(jobs.where("schedule_key", ">=", value)),
  schedule_gt: (jobs, value) => keepScheduled(jobs.where("schedule_key", ">", value)),
  schedule_gte: (jobs, value) => keepScheduled(jobs.where("schedule_key", ">=", value)),
  schedule_lt: (jobs, value) => jobs.where("schedule_key", "<", value),
  schedule_lte: (jobs, value) => jobs.where("schedule_key", "<=", value),
  truck_id: (jobs, value) => jobs.where("truck_id", "=", value),
};

function keepCompleted(
  jobs: Jobs,
  compare: (completedOn: RawBuilder<string>) => RawBuilder<boolean>,
  { positionOf }: TenantAccess,
): Jobs {
  const key = '"completed_on":"';
  const start = sql`${positionOf("jobs.record", key)} + ${sql.lit(key.length)}`;
  const completedOn = sql<string>`substr(jobs.record, ${start}, ${sql.lit(timestampLength)})`;
  return keepFlagged(jobs, "is_completed", true).where(compare(completedOn));
}

const timestampLength = "2026-11-21T08:30:00.000000".length;

/** A single id uses "=", so that an index returns the jobs in order. */
function keepOf(jobs: Jobs, column: PersonFilter, [id, ...twins]: readonly number[]): Jobs {
  if (id === undefined) return jobs;
  return twins.length === 0 ? jobs.where(column, "=", id) : jobs.where(column, "in", [id, ...twins]);
}

function keepOfDriver(jobs: Jobs, driverId: number, access: TenantAccess): Jobs {
  const trucks = access.selectUnseen("trucks").where("driver_id", "=", driverId).select("id");
  const users = access.selectUnseen("users").where("driver_id", "=", driverId).select("id");
  const driver = withOwnNumber(access, access.selectUnseen("drivers").where("id", "=", driverId));
  return jobs.where((eb) =>
    eb.or([access.isAmong("truck_id", trucks), access.isAmong("completed_by", users.union(driver))]),
  );
}
