import { isOver, type JobMarks, toJobState } from "../models/job-state.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { latestOf } from "./whole-day.ts";
import type { Zone } from "./zone.ts";

/**
 * Whether a job is not over although its desired end, else its scheduled time, else its scheduled day at the location
 * has passed. `zone` is that of the job's location.
 */
export function isLate(job: JobMarks, now: Timestamp, zone: Zone): boolean {
  return !isOver(toJobState(job)) && isOverdue(job, now, zone);
}

/** Whether the time until which a job is wanted has passed, whatever has become of it. */
export function isOverdue(
  { desired_end_time, schedule_date }: Pick<JobMarks, "desired_end_time" | "schedule_date">,
  now: Timestamp,
  zone: Zone,
): boolean {
  const due = desired_end_time ?? (schedule_date ? latestOf(schedule_date, zone) : null);
  return due !== null && due < now;
}
