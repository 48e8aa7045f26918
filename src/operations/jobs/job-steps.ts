import { DispatchError, failure } from "../../errors/errors.ts";
import type { UpdateJobProfile } from "../../models/job-changes.ts";
import type { Job } from "../../store/queries/jobs.ts";
import { findObstacle, type JobAction, type JobMarks, jobActions } from "./job-life.ts";

/** A request to change a job, from `jobs.update` or `jobs.dispatch`. */
export interface JobRequest {
  locationId: number;
  jobId: number;
  /** The name of the body's model, for messages. */
  model: string;
  /** What is to be different; a field that is absent stays. */
  sent: UpdateJobProfile;
  /** Asked for by name even when nothing would differ: a job is dispatched again to the truck that it is on. */
  asked: readonly JobAction[];
}

/** What a request does to a job, in the order in which it counts as done. */
export function toSteps(before: Job, after: Job, changed: readonly string[], asked: readonly JobAction[]) {
  const moves = changed.includes("truck_id");
  const isDispatched = asked.includes("dispatch") || (moves && after.truck_id !== null);
  const isWithdrawn = (mark: "is_acknowledged" | "is_declined") => before[mark] && !after[mark];
  const happens: Record<JobAction, boolean> = {
    reopen: before.is_completed && !after.is_completed,
    retry: before.is_failed && !after.is_failed,
    edit:
      changed.some((name) => !marks.has(name)) ||
      isWithdrawn("is_acknowledged") ||
      isWithdrawn("is_declined"),
    reschedule: asked.includes("reschedule"),
    return: asked.includes("return") || (moves && after.truck_id === null),
    dispatch: isDispatched,
    acknowledge: after.is_acknowledged && (isDispatched || !before.is_acknowledged),
    decline: after.is_declined && (isDispatched || !before.is_declined),
    fail: after.is_failed && !before.is_failed,
    complete: after.is_completed && !before.is_completed,
    delete: after.is_deleted && !before.is_deleted,
    restore: before.is_deleted && !after.is_deleted,
  };
  // The object's keys are its actions, in the order written above.
  return (Object.keys(happens) as JobAction[]).filter((action) => happens[action]);
}

/** What actions of their own set and clear, but that withdrawing an acknowledgement or a refusal is an edit. */
const marks = new Set([
  "is_acknowledged",
  "is_completed",
  "is_declined",
  "is_deleted",
  "is_failed",
  "truck_id",
]);

/** OP-44: whatever the job is, a request cannot make it acknowledged and declined, nor completed and failed. */
export function refuseContradictions(sent: UpdateJobProfile, model: string): void {
  for (const [one, other] of contradictions) {
    if (!sent[one] || !sent[other]) continue;
    const both = `${one.slice(3)} and ${other.slice(3)}`;
    const detail = `A job cannot be ${both} at once, and the request sets both; leave one of them out.`;
    throw failure("state_conflict", detail, `${model}.${other}`);
  }
}

const contradictions = [
  ["is_completed", "is_failed"],
  ["is_acknowledged", "is_declined"],
] as const;

/**
 * Refuses the request when the job's life does not allow one of its steps. A mark that the same request clears stands in
 * nothing's way; those that it sets do.
 */
export function requireSteps(
  before: Job,
  after: Job,
  steps: readonly JobAction[],
  { locationId, model }: Pick<JobRequest, "locationId" | "model">,
): void {
  const job: JobMarks = {
    is_acknowledged: before.is_acknowledged && after.is_acknowledged,
    is_completed: before.is_completed && after.is_completed,
    is_declined: before.is_declined && after.is_declined,
    is_deleted: before.is_deleted,
    is_failed: before.is_failed && after.is_failed,
    truck_id: before.truck_id,
  };
  for (const action of steps) {
    const obstacle = findObstacle(job, action);
    if (obstacle) {
      const { is, set, way } = obstacle;
      const detail = `Job ${before.id} ${is}, so it cannot be ${jobActions[action].done}. ${way}`;
      const field = fieldOf[action] ? `${model}.${fieldOf[action]}` : null;
      const params = { job_id: before.id, location_id: locationId };
      const see = set && { operation: "jobs.update" as const, params, body: set };
      throw new DispatchError([{ code: "state_conflict", detail, field, ...(see && { see }) }]);
    }
    Object.assign(job, marksSetBy[action]?.(after));
  }
}

const fieldOf: Partial<Record<JobAction, string>> = {
  acknowledge: "is_acknowledged",
  complete: "is_completed",
  decline: "is_declined",
  dispatch: "truck_id",
  fail: "is_failed",
  reopen: "is_completed",
  reschedule: "new_schedule_date",
  retry: "is_failed",
  return: "truck_id",
};

const marksSetBy: Partial<Record<JobAction, (after: Job) => Partial<JobMarks>>> = {
  acknowledge: () => ({ is_acknowledged: true }),
  complete: () => ({ is_completed: true }),
  decline: () => ({ is_declined: true }),
  dispatch: ({ truck_id }) => ({ is_acknowledged: false, is_declined: false, truck_id }),
  fail: () => ({ is_failed: true }),
  return: () => ({ truck_id: null }),
};

/** The step that tells most of what happened names the event; the others are seen in the record. */
export function toEventAction(steps: readonly JobAction[]): string {
  const telling: JobAction[] = [
    "complete",
    "fail",
    "dispatch",
    "return",
    "acknowledge",
    "decline",
    "delete",
    "restore",
  ];
  const action = telling.find((step) => steps.includes(step));
  return action ? jobActions[action].done : "updated";
}
