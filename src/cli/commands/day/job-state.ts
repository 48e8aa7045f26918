import type { Timestamp } from "../../../runtime/clock.ts";

/** How far a job has come, in one word, as a dispatcher asks for it. */
export const jobStates = [
  "unassigned",
  "dispatched",
  "acknowledged",
  "in progress",
  "completed",
  "failed",
  "declined",
] as const;
export type JobState = (typeof jobStates)[number];

type Moment = Timestamp | null;

/** The part of a job that its state and its lateness are derived from. */
export interface JobMarks {
  arrived_at_destination_on: Moment;
  arrived_on: Moment;
  departed_on: Moment;
  desired_end_time: Moment;
  dispatched_on: Moment;
  dumped_on: Moment;
  is_acknowledged: boolean;
  is_completed: boolean;
  is_declined: boolean;
  is_failed: boolean;
  schedule_date: Moment;
  started_on: Moment;
  truck_id: number | null;
  weighed_on: Moment;
}

/** The state of a job; the first that is so counts. */
export function toJobState(job: JobMarks): JobState {
  if (job.is_completed) return "completed";
  if (job.is_failed) return "failed";
  if (job.truck_id === null) return "unassigned";
  if (job.is_declined) return "declined";
  if (isUnderWay(job)) return "in progress";
  return job.is_acknowledged ? "acknowledged" : "dispatched";
}

/** What a driver reports on the way; a job that was dispatched anew keeps what was reported before. */
function isUnderWay(job: JobMarks): boolean {
  const { arrived_at_destination_on, arrived_on, departed_on, dumped_on, started_on, weighed_on } = job;
  const reports = [arrived_at_destination_on, arrived_on, departed_on, dumped_on, started_on, weighed_on];
  return reports.some((moment) => moment !== null && moment >= (job.dispatched_on ?? ""));
}

/** Whether a job is not done and its time is over: that until which it is wanted, else its own, else its day. */
export function isLate(job: JobMarks, now: Timestamp): boolean {
  if (job.is_completed || job.is_failed) return false;
  const { desired_end_time, schedule_date } = job;
  const due = desired_end_time ?? (schedule_date && toLatest(schedule_date));
  return due !== null && due < now;
}

/** A date without a time is its midnight (OP-5), and leaves the whole day. */
function toLatest(moment: Timestamp): Timestamp {
  return isWholeDay(moment) ? `${moment.slice(0, 10)}T23:59:59.999999` : moment;
}

/** Whether a moment is a date without a time. */
export function isWholeDay(moment: Timestamp): boolean {
  return moment.endsWith("T00:00:00.000000");
}
