import { sql } from "kysely";
import type { JobCursor } from "../../models/job-cursor.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Matching } from "./pages.ts";

type Jobs = Matching<"jobs">;

// Both sort behind every real value (OP-51).
const unscheduledKey = "unscheduled";
const unprioritized = 1_000_000;

/** The column that jobs are ordered by first. */
export function toScheduleKey(date: Timestamp | null): string {
  return date ?? unscheduledKey;
}

/** The column that jobs of one date are ordered by. */
export function toUrgency(priority: number | null): number {
  return priority === null ? unprioritized : -priority;
}

/** The place of a job in that order, from its columns. */
export function toPlace({ id, schedule_key, urgency }: JobPlace): JobCursor {
  return {
    id,
    priority: urgency === unprioritized ? null : -urgency,
    schedule_date: schedule_key === unscheduledKey ? null : schedule_key,
  };
}

interface JobPlace {
  id: number;
  schedule_key: string;
  urgency: number;
}

/** Puts jobs into the order in which they are to be done (OP-51). */
export function inOrder(jobs: Jobs): Jobs {
  return jobs.orderBy("jobs.schedule_key").orderBy("jobs.urgency").orderBy("jobs.id");
}

/** Leaves out the jobs without a date, which sort behind every date. */
export function keepScheduled(jobs: Jobs): Jobs {
  return jobs.where(sql<boolean>`jobs.schedule_key < ${unscheduledKey}`);
}

/**
 * Keeps the jobs of which the flag is so. The value is part of the statement, not a parameter: only then do the planners use
 * the partial indexes (`jobs_open_…`), and such a list takes the same time however long the history is.
 */
export function keepFlagged(jobs: Jobs, flag: Flag, value: boolean): Jobs {
  return jobs.where(flag, "=", sql.lit(value));
}

/** Keeps the jobs that have none of the flags. */
export function keepWithout(jobs: Jobs, flags: readonly Flag[]): Jobs {
  return flags.reduce((kept, flag) => keepFlagged(kept, flag, false), jobs);
}

type Flag = "is_completed" | "is_declined" | "is_deleted" | "is_failed";

/** Keeps the jobs behind a place in that order. */
export function keepBehind(jobs: Jobs, { schedule_date, priority, id }: JobCursor): Jobs {
  const place = sql`(${toScheduleKey(schedule_date)}, ${toUrgency(priority)}, ${id})`;
  return jobs.where(sql<boolean>`(jobs.schedule_key, jobs.urgency, jobs.id) > ${place}`);
}
