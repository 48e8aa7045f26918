import { flagsOffTheRoad } from "../../models/job-state.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import { loadEmbedded, type Sight, type StoredJob, shownColumns } from "./job-embeds.ts";
import { filterJobs, type ListFilters, sumJobs } from "./job-filters.ts";
import { inOrder, keepBehind } from "./job-order.ts";
import { type Job, type JobFields, toJob, toJobRow } from "./job-record.ts";
import { keepAfter, readPage } from "./pages.ts";

/** What the store keeps of a job beside its own fields, to answer filters with (OP-49, OP-50). */
export interface JobMetadata {
  completed_by_driver: boolean;
  created_on: Timestamp;
  /** The job whose completion made this pickup (OP-47). */
  pickup_of?: number;
  returned_by: number | null;
  returned_by_driver: boolean;
}

/** The part of it that changes with the job. */
export type ChangingJobMetadata = Omit<JobMetadata, "created_on" | "pickup_of">;

/** A job as it is worked with, and what is kept beside it. */
export interface KeptJob {
  metadata: ChangingJobMetadata;
  job: Job;
}

export function jobQueries(access: TenantAccess) {
  return {
    async insert(job: JobFields, metadata: JobMetadata): Promise<Job> {
      const row = { ...toJobRow(job), ...metadata };
      const { id } = await access.insert("jobs", row).returning("id").executeTakeFirstOrThrow();
      return { ...job, id };
    },

    /** The job's own fields, when it belongs to the location and may be seen. */
    async find(locationId: number, id: number): Promise<KeptJob | undefined> {
      const [row] = await access.run(findKept, { locationId, id });
      return (
        row && {
          metadata: {
            completed_by_driver: Boolean(row.completed_by_driver),
            returned_by: row.returned_by,
            returned_by_driver: Boolean(row.returned_by_driver),
          },
          job: toJob(row),
        }
      );
    },

    /** Puts a job's fields in place of those that it had. */
    async update(job: Job, metadata: ChangingJobMetadata): Promise<void> {
      const row = { ...toJobRow(job), ...metadata };
      await access.update("jobs").set(row).where("id", "=", job.id).execute();
    },

    /** Whether a pickup was made when the job was completed before, seen or not (OP-47). */
    async hasPickup(id: number): Promise<boolean> {
      const [row] = await access.run(findPickup, { id });
      return row !== undefined;
    },

    /** The job as it is answered, when it belongs to the location and may be seen. */
    async show(locationId: number, id: number): Promise<StoredJob | undefined> {
      const [row] = await access.run(findShown, { locationId, id });
      return row && (await loadEmbedded(access, [row]))[0];
    },

    /**
     * The job as it is answered to the caller who has just written it, seen or not: a driver who reopens a job on
     * another's truck loses sight of it by doing so.
     */
    showWritten: (id: number): Promise<StoredJob> => showAny(access, id, "seen"),

    /** The event payload of a job that was just written, with all embedded records, seen by the caller or not. */
    async toEventPayload(job: Job): Promise<Record<string, unknown>> {
      return { ...job, ...(await showAny(access, job.id, "whole")).computed };
    },

    /** A page of the jobs that pass the filters, in OP-51 order, or by id after an id, as they are answered. */
    async page(filters: ListFilters, paging: Paging): Promise<Page<StoredJob>> {
      const { after = null } = paging;
      const all = filterJobs(access, filters);
      const isById = typeof after === "number";
      const matching = isById || after === null ? keepAfter(all, after) : keepBehind(all, after);
      const page = await readPage(
        access,
        matching,
        paging,
        (rows) => (isById ? rows.orderBy("jobs.id") : inOrder(rows)).select(shownColumns),
        after === null ? await sumJobs(access, filters) : null,
      );
      return { total: page.total, rows: await loadEmbedded(access, page.rows) };
    },

    /** The first jobs of a truck that its driver still has to do, in OP-51 order (OP-60). */
    async openOfTruck(truckId: number, limit: number): Promise<Page<Job>> {
      let open = access.select("jobs").where("truck_id", "=", truckId);
      for (const flag of flagsOffTheRoad) open = open.where(flag, "=", false);
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
  const rows = await access.run(findAny, { id });
  const [shown] = await loadEmbedded(access, rows, sight);
  if (!shown) throw new Error(`Job ${id} was written and is not there.`);
  return shown;
}

interface Id {
  id: Parameter<number>;
}

interface Place extends Id {
  locationId: Parameter<number>;
}

const findKept = defineStatement(({ select }: TenantQueries, { locationId, id }: Place) =>
  select("jobs")
    .where("location_id", "=", locationId)
    .where("id", "=", id)
    .select(["completed_by_driver", "created_by", "id", "location_id"])
    .select(["record", "returned_by", "returned_by_driver"]),
);

const findShown = defineStatement(({ select }: TenantQueries, { locationId, id }: Place) =>
  select("jobs").where("location_id", "=", locationId).where("id", "=", id).select(shownColumns),
);

const findAny = defineStatement(({ selectUnseen }: TenantQueries, { id }: Id) =>
  selectUnseen("jobs").where("id", "=", id).select(shownColumns),
);

const findPickup = defineStatement(({ selectUnseen }: TenantQueries, { id }: Id) =>
  selectUnseen("jobs").where("pickup_of", "=", id).select("id"),
);
