import { isOver, type JobMarks, toJobState } from "../models/job-state.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { latestOf } from "./whole-day.ts";
import type { Zone } from "./zone.ts";

/** Whether an open job has passed its desired end, or else its scheduled time or day. */
export function isLate(job: JobMarks, now: Timestamp, zone: Zone): boolean {
  return !isOver(toJobState(job)) && isOverdue(job, now, zone);
}

/** Ignores whether the job is open. */
export function isOverdue(
  { desired_end_time, schedule_date }: Pick<JobMarks, "desired_end_time" | "schedule_date">,
  now: Timestamp,
  zone: Zone,
): boolean {
  const due = desired_end_time ?? (schedule_date ? latestOf(schedule_date, zone) : null);
  return due !== null && due < now;
}
