import type { BoardJob } from "../../../board/board.ts";
import type { JobPlace } from "../../../board/board-actions.ts";
import { isWholeDay } from "../../../local-time/whole-day.ts";
import type { Zone } from "../../../local-time/zone.ts";
import type { Timestamp } from "../../../runtime/clock.ts";

/** The minutes of the local day within which a job starts. */
interface StartTimes {
  from: number;
  to: number;
}

/** Before the first job that starts later; null for a job that may start at any time. */
export function toPlaceByTime(job: BoardJob, others: readonly BoardJob[], zone: Zone): JobPlace | null {
  const own = toStartTimes(job, zone);
  if (own === null) return null;
  const later = others.find((other) => (toStartTimes(other, zone)?.from ?? -1) > own.from);
  return later ? { before: later.id } : { last: true };
}

/** The job that keeps another from its time at a place: one before it starts too late, or one behind it too early. */
export function findInTheWay(
  job: BoardJob,
  others: readonly BoardJob[],
  place: JobPlace,
  zone: Zone,
): BoardJob | null {
  const own = toStartTimes(job, zone);
  if (own === null) return null;
  const at = "before" in place ? others.findIndex(({ id }) => id === place.before) : others.length;
  const isInTheWay = (other: BoardJob, row: number) => {
    const its = toStartTimes(other, zone);
    return its !== null && (row < at ? its.from > own.to : its.to < own.from);
  };
  return others.find(isInTheWay) ?? null;
}

/** The time of day decides, because a job that moves to another day keeps it. */
function toStartTimes(job: BoardJob, zone: Zone): StartTimes | null {
  const { desired_end_time: end, desired_start_time: start, schedule_date } = job;
  const minutesOf = (moment: Timestamp) => {
    const { hour, minute } = zone.toLocal(moment);
    return hour * 60 + minute;
  };
  if (start !== null || end !== null)
    return { from: start ? minutesOf(start) : 0, to: end ? minutesOf(end) : Number.POSITIVE_INFINITY };
  if (schedule_date === null || isWholeDay(schedule_date)) return null;
  return { from: minutesOf(schedule_date), to: minutesOf(schedule_date) };
}
