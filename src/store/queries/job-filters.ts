import type { JobFilters } from "../../models/job-filters.ts";
import type { TenantAccess } from "../access/access.ts";
import { keepScheduled } from "./job-order.ts";
import type { Matching } from "./pages.ts";

/** The filters of a query, and the location that the path of a list names. */
export interface ListFilters extends JobFilters {
  location_id?: number;
}

type Jobs = Matching<"jobs">;

/** The jobs that the caller may see and that pass the filters (OP-48 to OP-50). */
export function filterJobs(access: TenantAccess, filters: ListFilters): Jobs {
  const keep = <Name extends keyof Given>(jobs: Jobs, name: Name): Jobs => {
    const value = filters[name] as Given[Name] | null | undefined;
    return value === undefined || value === null ? jobs : conditions[name](jobs, value, access);
  };
  let jobs: Jobs = access.select("jobs");
  for (const name of Object.keys(conditions) as (keyof Given)[]) jobs = keep(jobs, name);
  return jobs;
}

type Given = { [Name in keyof ListFilters]-?: NonNullable<ListFilters[Name]> };

type Conditions = { [Name in keyof Given]: (jobs: Jobs, value: Given[Name], access: TenantAccess) => Jobs };

/** What each filter asks. OP-50: the bounds of the filters in _gte and _lte are inside, but that of last_updated_gte. */
const conditions: Conditions = {
  completed: (jobs, value) => jobs.where("is_completed", "=", value),
  completed_by: (jobs, value) => jobs.where("completed_by", "=", value),
  // False asks for incomplete jobs, not for those completed by others (OP-49).
  completed_by_driver: (jobs, value) =>
    value ? jobs.where("completed_by_driver", "=", true) : jobs.where("is_completed", "=", false),
  created_on_gte: (jobs, value) => jobs.where("created_on", ">=", value),
  // As the interface says: true only active records (OP-48).
  deleted: (jobs, value) => jobs.where("is_deleted", "=", !value),
  driver_id: keepOfDriver,
  failed: (jobs, value) => jobs.where("is_failed", "=", value),
  is_dispatched: (jobs, value) => jobs.where("truck_id", value ? "is not" : "is", null),
  last_updated_gte: (jobs, value) => jobs.where("last_updated_on", ">", value),
  location_id: (jobs, value) => jobs.where("location_id", "=", value),
  returned_by: (jobs, value) => jobs.where("returned_by", "=", value),
  returned_by_driver: (jobs, value) => jobs.where("returned_by_driver", "=", value),
  schedule_gt: (jobs, value) => keepScheduled(jobs.where("schedule_key", ">", value)),
  schedule_gte: (jobs, value) => keepScheduled(jobs.where("schedule_key", ">=", value)),
  schedule_lt: (jobs, value) => jobs.where("schedule_key", "<", value),
  schedule_lte: (jobs, value) => jobs.where("schedule_key", "<=", value),
  truck_id: (jobs, value) => jobs.where("truck_id", "=", value),
};

/** Jobs on a driver's trucks, and those that the driver completed. */
function keepOfDriver(jobs: Jobs, driverId: number, access: TenantAccess): Jobs {
  const trucks = access.selectUnseen("trucks").where("driver_id", "=", driverId).select("id");
  const users = access.selectUnseen("users").where("driver_id", "=", driverId).select("id");
  return jobs.where((eb) => eb.or([eb("truck_id", "in", trucks), eb("completed_by", "in", users)]));
}
