import type { Course } from "./job-course.ts";
import type { Task } from "./job-task.ts";
import type { JobTimes, Slot } from "./job-times.ts";

/** What is decided of a job before it is written down. */
export interface DecidedJob {
  /** Who completes it, should it be done. */
  completedBy: { id: number; isDriver: boolean };
  course: Course;
  nowMs: number;
  slot: Slot;
  task: Task;
  times: JobTimes;
}
