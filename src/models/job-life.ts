import { type JobMarks, type JobState, jobStates, jobStateTable, toJobStates } from "./job-state.ts";

interface Obstacle {
  /** Completes a sentence that begins with the job. */
  is: string;
  /** What to do first, and the fields of the PATCH that does it. */
  way: string;
  set: Readonly<Record<string, boolean>> | null;
}

/** Action → states that refuse it. Decisions, messages, and help use this table. */
export const jobLife = {
  dispatch: ["failed", "completed", "deleted"],
  reschedule: ["failed", "completed", "deleted"],
  return: ["unassigned", "failed", "completed", "deleted"],
  acknowledge: ["declined", "deleted"],
  decline: ["acknowledged", "deleted"],
  complete: ["failed", "deleted"],
  reopen: ["deleted"],
  fail: ["completed", "deleted"],
  retry: ["deleted"],
  edit: ["deleted"],
  delete: [],
  restore: [],
} as const satisfies Record<string, readonly JobState[]>;

export type JobAction = keyof typeof jobLife;

/** `by`: the field that requests the action. `done`: its participle. */
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

/** The last refusing state explains the refusal; null if none refuses. */
export function findObstacle(job: JobMarks, action: JobAction): Obstacle | null {
  const state = toJobStates(job).findLast((candidate) => isRefused(action, candidate));
  return state === undefined ? null : { is: jobStateTable[state].is, ...toWay(state) };
}

/** For the help. */
export function describeJobLife(actions: readonly JobAction[]): string {
  const lines = actions.flatMap((action) => {
    const refusing = jobStates.filter((state) => isRefused(action, state));
    if (refusing.length === 0) return [];
    return [`  ${action.padEnd(13)}${jobActions[action].by.padEnd(23)}${refusing.join(", ")}`];
  });
  return ["Refused while the job is … (409):", ...lines].join("\n");
}

function isRefused(action: JobAction, state: JobState): boolean {
  const refusing: readonly JobState[] = jobLife[action];
  return refusing.includes(state);
}

function toWay(state: JobState): Pick<Obstacle, "set" | "way"> {
  if (state === "unassigned") return { set: null, way: "It is on no truck." };
  if (state === "deleted") {
    const way = "It can only be restored, by is_deleted false and nothing else.";
    return { set: { is_deleted: false }, way };
  }
  const { mark } = jobStateTable[state];
  if (typeof mark !== "string") throw new Error(`No flag puts a job in the state "${state}".`);
  return { set: { [mark]: false }, way: `Set ${mark} to false first, or in the same request.` };
}
