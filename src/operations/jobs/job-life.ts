import type { JobFields } from "../../store/queries/jobs.ts";

/** What a job is; it is in every state whose mark it carries, the later ones telling more. */
export const jobStates = [
  "new",
  "dispatched",
  "acknowledged",
  "declined",
  "failed",
  "completed",
  "deleted",
] as const;
export type JobState = (typeof jobStates)[number];

/** The part of a job that its states are derived from. */
export type JobMarks = Pick<
  JobFields,
  "is_acknowledged" | "is_completed" | "is_declined" | "is_deleted" | "is_failed" | "truck_id"
>;

interface Obstacle {
  /** The rest of a sentence that begins with the job. */
  is: string;
  /** The way on, and the fields of a PATCH of the job that go it. */
  way: string;
  set: Readonly<Record<string, boolean>> | null;
}

const obstacle = (is: string, way: string, set: Obstacle["set"] = null): Obstacle => ({ is, set, way });

const yes = null;
const noTruck = obstacle("is on no truck", "There is nothing to take back.");
const acked = withdrawable("is acknowledged", "is_acknowledged");
const declined = withdrawable("is declined", "is_declined");
const failed = withdrawable("has failed", "is_failed");
const done = withdrawable("is completed", "is_completed");
const deleted = obstacle("is deleted", "It can only be restored, by is_deleted false and nothing else.", {
  is_deleted: false,
});

function withdrawable(is: string, field: string): Obstacle {
  return obstacle(is, `Set ${field} to false before, or in the same PATCH.`, { [field]: false });
}

/**
 * The life of a job: what may be done to it in which state, or what stands in the way (OP-43, OP-44). Who decides, who
 * explains and who tests reads this table. `yes` also where nothing is left to do: what changes nothing is never refused.
 */
// biome-ignore format: a table is read in columns
export const jobLife = {
  //            new      dispatched  acknowledged  declined  failed  completed  deleted
  dispatch:    [yes,     yes,        yes,          yes,      failed, done,      deleted],
  reschedule:  [yes,     yes,        yes,          yes,      failed, done,      deleted],
  return:      [noTruck, yes,        yes,          yes,      failed, done,      deleted],
  acknowledge: [yes,     yes,        yes,          declined, yes,    yes,       deleted],
  decline:     [yes,     yes,        acked,        yes,      yes,    yes,       deleted],
  complete:    [yes,     yes,        yes,          yes,      failed, yes,       deleted],
  reopen:      [yes,     yes,        yes,          yes,      yes,    yes,       deleted],
  fail:        [yes,     yes,        yes,          yes,      yes,    done,      deleted],
  retry:       [yes,     yes,        yes,          yes,      yes,    yes,       deleted],
  edit:        [yes,     yes,        yes,          yes,      yes,    yes,       deleted],
  delete:      [yes,     yes,        yes,          yes,      yes,    yes,       yes],
  restore:     [yes,     yes,        yes,          yes,      yes,    yes,       yes],
} as const satisfies Record<string, readonly (Obstacle | null)[]>;

export type JobAction = keyof typeof jobLife;

/** How each action is asked for, for the help; and what has been done to the job then. */
export const jobActions: Record<JobAction, { by: string; done: string }> = {
  dispatch: { by: "a truck_id", done: "dispatched" },
  reschedule: { by: "new_schedule_date", done: "rescheduled" },
  return: { by: "truck_id null", done: "returned" },
  acknowledge: { by: "is_acknowledged true", done: "acknowledged" },
  decline: { by: "is_declined true", done: "declined" },
  complete: { by: "is_completed true", done: "completed" },
  reopen: { by: "is_completed false", done: "reopened" },
  fail: { by: "is_failed true", done: "failed" },
  retry: { by: "is_failed false", done: "tried again" },
  edit: { by: "any other field", done: "changed" },
  delete: { by: "is_deleted true", done: "deleted" },
  restore: { by: "is_deleted false", done: "restored" },
};

/** The states that a job is in, the most telling last. */
export function toStates(job: JobMarks): JobState[] {
  const isIn: Record<JobState, boolean> = {
    new: job.truck_id === null,
    dispatched: job.truck_id !== null,
    acknowledged: job.is_acknowledged,
    declined: job.is_declined,
    failed: job.is_failed,
    completed: job.is_completed,
    deleted: job.is_deleted,
  };
  return jobStates.filter((state) => isIn[state]);
}

/** Why an action is not for a job, as the rest of a sentence that begins with it, and the way on; null when it is. */
export function findObstacle(job: JobMarks, action: JobAction): Obstacle | null {
  return toStates(job).reduce<Obstacle | null>(
    (found, state) => jobLife[action][jobStates.indexOf(state)] ?? found,
    null,
  );
}

/** The table in words, for the help: each action that some state refuses, with these states. */
export function describeJobLife(actions: readonly JobAction[]): string {
  const lines = actions.flatMap((action) => {
    const refusing = jobStates.filter((_, index) => jobLife[action][index] !== null);
    if (refusing.length === 0) return [];
    const named = refusing.map((state) => (state === "new" ? "on no truck" : state));
    return [`  ${action.padEnd(13)}${jobActions[action].by.padEnd(23)}${named.join(", ")}`];
  });
  return ["Refused while the job is … (409):", ...lines].join("\n");
}
