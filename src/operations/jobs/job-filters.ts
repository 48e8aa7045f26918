import type { JobFilters } from "../../store/queries/jobs.ts";

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
