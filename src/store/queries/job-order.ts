import { sql } from "kysely";
import type { JobCursor } from "../../models/job-cursor.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Matching } from "./pages.ts";

type Jobs = Matching<"jobs">;

// Both sort after every real value.
const unscheduledKey = "unscheduled";
const unprioritized = 1_000_000;

export function toScheduleKey(date: Timestamp | null): string {
  return date ?? unscheduledKey;
}

export function toUrgency(priority: number | null): number {
  return priority === null ? unprioritized : -priority;
}

export function toJobCursor({ id, schedule_key, urgency }: OrderColumns): JobCursor {
  return {
    id,
    priority: urgency === unprioritized ? null : -urgency,
    schedule_date: schedule_key === unscheduledKey ? null : schedule_key,
  };
}

interface OrderColumns {
  id: number;
  schedule_key: string;
  urgency: number;
}

export function inOrder(jobs: Jobs): Jobs {
  return jobs.orderBy("jobs.schedule_key").orderBy("jobs.urgency").orderBy("jobs.id");
}

export function keepScheduled(jobs: Jobs): Jobs {
  return jobs.where(sql<boolean>`jobs.schedule_key < ${unscheduledKey}`);
}

/** A literal: only then do planners use the partial indexes (`jobs_open_…`). */
export function keepFlagged(jobs: Jobs, flag: Flag, value: boolean): Jobs {
  return jobs.where(flag, "=", sql.lit(value));
}

export function keepWithout(jobs: Jobs, flags: readonly Flag[]): Jobs {
  return flags.reduce((kept, flag) => keepFlagged(kept, flag, false), jobs);
}

type Flag = "is_completed" | "is_declined" | "is_deleted" | "is_failed";

export function keepBehind(jobs: Jobs, { schedule_date, priority, id }: JobCursor): Jobs {
  const place = sql`(${toScheduleKey(schedule_date)}, ${toUrgency(priority)}, ${id})`;
  return jobs.where(sql<boolean>`(jobs.schedule_key, jobs.urgency, jobs.id) > ${place}`);
}
