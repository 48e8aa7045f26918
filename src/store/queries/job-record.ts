import { type Selectable, sql } from "kysely";
import type * as z from "zod";
import { JobModel, jobComputedFields, type jobStoredFields } from "../../models/job.ts";
import {
  parseStoredText,
  type StoredLayout,
  toStoredPrefix,
  toStoredText,
} from "../../models/stored-record.ts";
import { defineStoredLayout } from "../../models/versions/stored-layout.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { toScheduleKey, toUrgency } from "./job-order.ts";

/** In the newest API version, without the id and embedded records. */
export type JobFields = Omit<StoredFields, "customer_id" | "last_updated_on"> & {
  created_by: number | null;
  /** Set at creation and never null, although the model allows null. The same is true for last_updated_on. */
  customer_id: number;
  last_updated_on: Timestamp;
  location_id: number;
};

type StoredFields = z.output<z.ZodObject<typeof jobStoredFields>>;

export type Job = JobFields & { id: number };

/** Its tag changes with the fields of JobModel; then `reencodeJobs` rewrites the jobs. */
export const jobLayout = defineStoredLayout(JobModel, Object.keys(jobComputedFields));

export function toJob(
  row: Pick<Selectable<Database["jobs"]>, "created_by" | "id" | "location_id" | "record">,
): Job {
  const { created_by, id, location_id, record } = row;
  return { ...parseStoredText(jobLayout, record), created_by, id, location_id } as Job;
}

export function toJobRow(job: JobFields) {
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
    // UUIDs ignore case. The record keeps the sent form.
    third_party_hauler_id: job.third_party_hauler_id?.toLowerCase() ?? null,
    truck_id: job.truck_id,
    urgency: toUrgency(job.priority),
  };
}

export function jobReencodingQueries(access: TenantAccess) {
  return {
    /** Returns the last id of the next batch (null at the end), and whether a job has another layout. */
    async lookAfter(
      id: number,
      limit: number,
      layout: StoredLayout,
    ): Promise<{ hasOther: boolean; lastId: number | null }> {
      const rows = await access
        .selectUnseen("jobs")
        .where("id", ">", id)
        .select(["id", isOther(layout).as("is_other")])
        .orderBy("id")
        .limit(limit)
        .execute();
      return { hasOther: rows.some((row) => row.is_other), lastId: rows.at(-1)?.id ?? null };
    },

    async reencodeBetween(fromId: number, lastId: number, layout: StoredLayout): Promise<void> {
      const others = await access
        .selectUnseen("jobs")
        .where("id", ">", fromId)
        .where("id", "<=", lastId)
        .where(isOther(layout))
        .select(["id", "record"])
        .execute();
      for (const { id, record } of others) {
        const rewritten = toStoredText(layout, parseStoredText(layout, record));
        await access.update("jobs").set({ record: rewritten }).where("id", "=", id).execute();
      }
    },
  };
}

function isOther(layout: StoredLayout) {
  const prefix = toStoredPrefix(layout);
  return sql<boolean>`substr(record, 1, ${sql.lit(prefix.length)}) <> ${prefix}`;
}
