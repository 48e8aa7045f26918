import { type Selectable, sql } from "kysely";
import { jobLayout } from "../../models/job.ts";
import type { JobCursor } from "../../models/job-cursor.ts";
import type { JobType } from "../../models/job-types.ts";
import type { Page, Paging } from "../../models/page.ts";
import { parseStoredText, toStoredText } from "../../models/stored-record.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { loadEmbedded, type Sight, type StoredJob, shownColumns } from "./job-embeds.ts";
import { keepAfter, type Matching, readPage } from "./pages.ts";

/** A job's own fields in the newest shape, without the records embedded in its answer; all of JobModel's, by name. */
export interface JobFields extends Record<string, unknown> {
  add_to_routes: string | null;
  add_to_routes_settings: readonly { route_id: number }[] | null;
  address_id: number;
  asset_dropped_id: number | null;
  asset_id: number | null;
  asset_type_id: number | null;
  completed_by: number | null;
  completed_on: Timestamp | null;
  created_by: number | null;
  customer_id: number;
  departed_on: Timestamp | null;
  dispatched_on: Timestamp | null;
  driver_notes: string | null;
  dump_location_id: number | null;
  dumped_on: Timestamp | null;
  final_location_id: number | null;
  is_acknowledged: boolean;
  is_completed: boolean;
  is_declined: boolean;
  is_deleted: boolean;
  is_failed: boolean;
  last_updated_on: Timestamp;
  location_id: number;
  pickup_date: Timestamp | null;
  priority: number | null;
  requested_by: number;
  schedule_date: Timestamp | null;
  start_location_id: number | null;
  third_party_hauler_id: string | null;
  times_failed: number;
  truck_id: number | null;
  type: JobType;
}

export interface Job extends JobFields {
  id: number;
}

/** What the store keeps of a job beside its own fields, to answer filters with (OP-49, OP-50). */
export interface JobBookkeeping {
  completed_by_driver: boolean;
  created_on: Timestamp;
  /** The job whose completion made this pickup (OP-47). */
  pickup_of?: number;
  returned_by: number | null;
  returned_by_driver: boolean;
}

/** What of it changes with the job. */
export type ChangingBookkeeping = Omit<JobBookkeeping, "created_on" | "pickup_of">;

/** A job as it is worked with, and what is kept beside it. */
export interface KeptJob {
  bookkeeping: ChangingBookkeeping;
  job: Job;
}

/** The filters of the job lists; null keeps all (OP-48 to OP-50). */
export interface JobFilters {
  completed: boolean | null;
  completed_by: number | null;
  completed_by_driver: boolean | null;
  created_on_gte: Timestamp | null;
  deleted: boolean | null;
  driver_id: string | null;
  failed: boolean | null;
  is_dispatched: boolean | null;
  last_updated_gte: Timestamp | null;
  location_id: number | null;
  returned_by: number | null;
  returned_by_driver: boolean | null;
  schedule_gt: Timestamp | null;
  schedule_gte: Timestamp | null;
  schedule_lt: Timestamp | null;
  schedule_lte: Timestamp | null;
  truck_id: number | null;
}

export function jobQueries(access: TenantAccess) {
  return {
    async insert(job: JobFields, bookkeeping: JobBookkeeping): Promise<Job> {
      const row = { ...toRow(job), ...bookkeeping };
      const { id } = await access.insert("jobs", row).returning("id").executeTakeFirstOrThrow();
      return { ...job, id };
    },

    /** The job's own fields, when it belongs to the location and may be seen. */
    async find(locationId: number, id: number): Promise<KeptJob | undefined> {
      const row = await access
        .select("jobs")
        .where("location_id", "=", locationId)
        .where("id", "=", id)
        .select(["completed_by_driver", "created_by", "id", "location_id"])
        .select(["record", "returned_by", "returned_by_driver"])
        .executeTakeFirst();
      return (
        row && {
          bookkeeping: {
            completed_by_driver: Boolean(row.completed_by_driver),
            returned_by: row.returned_by,
            returned_by_driver: Boolean(row.returned_by_driver),
          },
          job: toJob(row),
        }
      );
    },

    /** Puts a job's fields in place of those that it had. */
    async update(job: Job, bookkeeping: ChangingBookkeeping): Promise<void> {
      const row = { ...toRow(job), ...bookkeeping };
      await access.update("jobs").set(row).where("id", "=", job.id).execute();
    },

    /** Whether a pickup was made when the job was completed before, seen or not (OP-47). */
    async hasPickup(id: number): Promise<boolean> {
      const row = await access
        .selectUnseen("jobs")
        .where("pickup_of", "=", id)
        .select("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The job as it is answered, when it belongs to the location and may be seen. */
    async show(locationId: number, id: number): Promise<StoredJob | undefined> {
      const row = await access
        .select("jobs")
        .where("location_id", "=", locationId)
        .where("id", "=", id)
        .select(shownColumns)
        .executeTakeFirst();
      return row && (await loadEmbedded(access, [row]))[0];
    },

    /**
     * The job as it is answered to the caller who has just written it, who may have lost sight of it by doing so: a
     * driver who reopens a job that is on another's truck.
     */
    showWritten: (id: number): Promise<StoredJob> => showAny(access, id, "seen"),

    /** What webhooks are told of a job that was just written: with all that it embeds, seen by the caller or not. */
    async tell(job: Job): Promise<Record<string, unknown>> {
      return { ...job, ...(await showAny(access, job.id, "whole")).live };
    },

    /** A page of the jobs that pass the filters, in OP-51 order, or by id after an id, as they are answered. */
    async page(filters: JobFilters, paging: Paging): Promise<Page<StoredJob>> {
      const { after = null } = paging;
      const all = filterJobs(access, access.select("jobs"), filters);
      const isById = typeof after === "number";
      const matching = isById || after === null ? keepAfter(all, after) : keepBehind(all, after);
      const page = await readPage(access, matching, paging, (rows) =>
        (isById ? rows.orderBy("jobs.id") : inOrder(rows)).select(shownColumns),
      );
      return { total: page.total, rows: await loadEmbedded(access, page.rows) };
    },

    /** The first jobs that a truck still has to do, in OP-51 order: not completed, failed, declined or deleted (OP-60). */
    async openOfTruck(truckId: number, limit: number): Promise<Page<Job>> {
      const open = access
        .select("jobs")
        .where("truck_id", "=", truckId)
        .where("is_completed", "=", false)
        .where("is_failed", "=", false)
        .where("is_declined", "=", false)
        .where("is_deleted", "=", false);
      const page = await readPage(access, open, { index: 1, limit }, (rows) =>
        inOrder(rows).select(["id", "location_id", "created_by", "record"]),
      );
      return { total: page.total, rows: page.rows.map(toJob) };
    },

    /** What the assets of jobs are called in print: number, else description, else the type's name. */
    async assetNames(jobs: readonly Job[]): Promise<Map<number, string>> {
      const ids = jobs.flatMap((job) => [job.asset_id, job.asset_dropped_id]).filter((id) => id !== null);
      if (ids.length === 0) return new Map();
      const rows = await access
        .selectUnseen("assets")
        .leftJoin("asset_types", (join) =>
          join
            .onRef("asset_types.tenant_id", "=", "assets.tenant_id")
            .onRef("asset_types.id", "=", "assets.asset_type_id"),
        )
        .where("assets.id", "in", ids)
        .select(["assets.id", "assets.number", "assets.description", "asset_types.name as type_name"])
        .execute();
      return new Map(
        rows.map(({ id, number, description, type_name }) => {
          const label = [type_name, number ?? description].filter((part) => part).join(" ");
          return [id, label || `asset ${id}`];
        }),
      );
    },
  };
}

async function showAny(access: TenantAccess, id: number, sight: Sight): Promise<StoredJob> {
  const row = await access
    .selectUnseen("jobs")
    .where("id", "=", id)
    .select(shownColumns)
    .executeTakeFirstOrThrow();
  const [shown] = await loadEmbedded(access, [row], sight);
  if (!shown) throw new Error(`Job ${id} was written and is not there.`);
  return shown;
}

/** The stored text holds every field of JobModel but the live ones, of which a job's own are columns. */
function toJob(row: Pick<Selectable<Database["jobs"]>, "created_by" | "id" | "location_id" | "record">): Job {
  const { created_by, id, location_id, record } = row;
  return { ...parseStoredText(record), created_by, id, location_id } as Job;
}

function toRow(job: JobFields) {
  return {
    address_id: job.address_id,
    asset_dropped_id: job.asset_dropped_id,
    asset_id: job.asset_id,
    asset_type_id: job.asset_type_id,
    completed_by: job.completed_by,
    created_by: job.created_by,
    customer_id: job.customer_id,
    dump_location_id: job.dump_location_id,
    final_location_id: job.final_location_id,
    is_completed: job.is_completed,
    is_declined: job.is_declined,
    is_deleted: job.is_deleted,
    is_failed: job.is_failed,
    last_updated_on: job.last_updated_on,
    location_id: job.location_id,
    record: toStoredText(jobLayout, job),
    schedule_key: toScheduleKey(job.schedule_date),
    start_location_id: job.start_location_id,
    // UUIDs are the same in either case; the record keeps it as it was sent.
    third_party_hauler_id: job.third_party_hauler_id?.toLowerCase() ?? null,
    truck_id: job.truck_id,
    urgency: toUrgency(job.priority),
  };
}

// Both sort behind every real value (OP-51); schedule filters exclude the first by name.
const unscheduledKey = "unscheduled";
const unprioritized = 1_000_000;

const toScheduleKey = (date: Timestamp | null) => date ?? unscheduledKey;
const toUrgency = (priority: number | null) => (priority === null ? unprioritized : -priority);

function inOrder(jobs: Matching<"jobs">) {
  return jobs.orderBy("jobs.schedule_key").orderBy("jobs.urgency").orderBy("jobs.id");
}

/** The jobs behind a place in that order. */
function keepBehind(jobs: Matching<"jobs">, { schedule_date, priority, id }: JobCursor): Matching<"jobs"> {
  const place = sql`(${toScheduleKey(schedule_date)}, ${toUrgency(priority)}, ${id})`;
  return jobs.where(sql<boolean>`(jobs.schedule_key, jobs.urgency, jobs.id) > ${place}`);
}

function filterJobs(access: TenantAccess, jobs: Matching<"jobs">, filters: JobFilters): Matching<"jobs"> {
  let matching = filterByPeople(access, jobs, filters);
  const { completed, completed_by_driver, deleted, failed, is_dispatched, location_id, truck_id } = filters;
  if (completed !== null) matching = matching.where("is_completed", "=", completed);
  // False asks for incomplete jobs, not for those completed by others (OP-49).
  if (completed_by_driver === true) matching = matching.where("completed_by_driver", "=", true);
  if (completed_by_driver === false) matching = matching.where("is_completed", "=", false);
  // As the interface says: true only active records (OP-48).
  if (deleted !== null) matching = matching.where("is_deleted", "=", !deleted);
  if (failed !== null) matching = matching.where("is_failed", "=", failed);
  if (is_dispatched !== null) matching = matching.where("truck_id", is_dispatched ? "is not" : "is", null);
  if (location_id !== null) matching = matching.where("location_id", "=", location_id);
  if (truck_id !== null) matching = matching.where("truck_id", "=", truck_id);
  return filterByTime(matching, filters);
}

function filterByPeople(access: TenantAccess, jobs: Matching<"jobs">, filters: JobFilters): Matching<"jobs"> {
  let matching = jobs;
  const { completed_by, driver_id, returned_by, returned_by_driver } = filters;
  if (completed_by !== null) matching = matching.where("completed_by", "=", completed_by);
  if (returned_by !== null) matching = matching.where("returned_by", "=", returned_by);
  if (returned_by_driver !== null) matching = matching.where("returned_by_driver", "=", returned_by_driver);
  if (driver_id === null) return matching;
  // A text that is no id is no driver's (OP-49).
  const driverId = /^\d{1,15}$/.test(driver_id) ? Number(driver_id) : -1;
  const trucks = access.selectUnseen("trucks").where("driver_id", "=", driverId).select("id");
  const users = access.selectUnseen("users").where("driver_id", "=", driverId).select("id");
  return matching.where((eb) => eb.or([eb("truck_id", "in", trucks), eb("completed_by", "in", users)]));
}

/** OP-50: the bounds of schedule_gte, schedule_lte and created_on_gte are inside, those of the others outside. */
function filterByTime(jobs: Matching<"jobs">, filters: JobFilters): Matching<"jobs"> {
  let matching = jobs;
  const { created_on_gte, last_updated_gte, schedule_gt, schedule_gte, schedule_lt, schedule_lte } = filters;
  if (created_on_gte !== null) matching = matching.where("created_on", ">=", created_on_gte);
  if (last_updated_gte !== null) matching = matching.where("last_updated_on", ">", last_updated_gte);
  if (schedule_gt !== null) matching = matching.where("schedule_key", ">", schedule_gt);
  if (schedule_gte !== null) matching = matching.where("schedule_key", ">=", schedule_gte);
  if (schedule_lt !== null) matching = matching.where("schedule_key", "<", schedule_lt);
  if (schedule_lte !== null) matching = matching.where("schedule_key", "<=", schedule_lte);
  const isScheduled = sql<boolean>`jobs.schedule_key < ${unscheduledKey}`;
  return schedule_gt !== null || schedule_gte !== null ? matching.where(isScheduled) : matching;
}
