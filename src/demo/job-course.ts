import type { JobTimes, Slot } from "./job-times.ts";
import type { Random } from "./random.ts";

/** What became of a job: open jobs wait for their crew, are under way, or have no crew. */
export type Course = "deleted" | "declined" | "done" | "failed" | "open" | "under way" | "waiting";

/** Whether the job is still to be done. */
export function isOpen(course: Course): boolean {
  return course === "open" || course === "under way" || course === "waiting";
}

/** Today every crew has jobs left, whatever the time is. */
const openTodayMin = 3;

/** Decides what became of a job by now. */
export function chooseCourse(slot: Slot, times: JobTimes, nowMs: number, random: Random): Course {
  const { daysAhead, ofDay, position } = slot;
  // Within a day or two somebody else does what a driver declined.
  const declined = daysAhead < -2 ? 0 : 3;
  if (daysAhead < 0) return random.weighted({ done: 91 - declined, failed: 5, declined, deleted: 4 });
  if (daysAhead > 0) return random.weighted(coursesAhead(daysAhead));
  const jobsAfter = ofDay - 1 - position;
  if (jobsAfter === 0) return "waiting";
  if (jobsAfter >= openTodayMin && times.endMs <= nowMs) return random.weighted({ done: 94, failed: 6 });
  if (times.startMs <= nowMs && nowMs < times.endMs) return "under way";
  return random.weighted({ waiting: 80, open: 12, declined: 4, deleted: 4 });
}

/** The further ahead, the fewer jobs have a truck yet. */
function coursesAhead(daysAhead: number) {
  const waiting = daysAhead <= 2 ? 65 : daysAhead <= 4 ? 30 : 6;
  return { waiting, open: 98 - waiting, deleted: 2 };
}
