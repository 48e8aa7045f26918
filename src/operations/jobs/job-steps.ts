import { DispatchError, failure, throwIfAny, type Violation } from "../../errors/errors.ts";
import type { CreateJobRequestBody } from "../../models/create-job.ts";
import type { UpdateJobProfile } from "../../models/job-changes.ts";
import { findObstacle, type JobAction, jobActions } from "../../models/job-life.ts";
import { type JobFlag, type JobMarks, jobFlags } from "../../models/job-state.ts";
import type { Job } from "../../store/queries/job-record.ts";

export interface JobRequest {
  locationId: number;
  jobId: number;
  /** The name of the model, for messages. */
  model: string;
  sent: UpdateJobProfile;
  /** Checked even if no field changes: a job without a truck cannot be returned. */
  asked: readonly ("reschedule" | "return")[];
}

/** The most significant step comes first. */
export function toSteps(before: Job, after: Job, changed: readonly string[], asked: readonly JobAction[]) {
  const moves = changed.includes("truck_id");
  const isDispatched = moves && after.truck_id !== null;
  const difference = { after, asked, before, changed, isDispatched, moves };
  // In the order of the table below.
  return (Object.keys(happens) as JobAction[]).filter((action) => happens[action](difference));
}

interface Difference {
  after: Job;
  asked: readonly JobAction[];
  before: Job;
  changed: readonly string[];
  isDispatched: boolean;
  /** The job goes to another truck, or to none. */
  moves: boolean;
}

type Happening = (difference: Difference) => boolean;

const isSet =
  (flag: JobFlag): Happening =>
  ({ after, before }) =>
    after[flag] && !before[flag];

const isCleared =
  (flag: JobFlag): Happening =>
  ({ after, before }) =>
    before[flag] && !after[flag];

/** A dispatch clears the driver's answer, so a flag sent with it counts as set again. */
const isSaid =
  (flag: JobFlag): Happening =>
  ({ after, before, isDispatched }) =>
    after[flag] && (isDispatched || !before[flag]);

const happens: Record<JobAction, Happening> = {
  reopen: isCleared("is_completed"),
  retry: isCleared("is_failed"),
  edit: (difference) =>
    difference.changed.some((name) => !marks.has(name)) ||
    isCleared("is_acknowledged")(difference) ||
    isCleared("is_declined")(difference),
  reschedule: ({ asked }) => asked.includes("reschedule"),
  return: ({ after, asked, moves }) => asked.includes("return") || (moves && after.truck_id === null),
  dispatch: ({ isDispatched }) => isDispatched,
  acknowledge: isSaid("is_acknowledged"),
  decline: isSaid("is_declined"),
  fail: isSet("is_failed"),
  complete: isSet("is_completed"),
  delete: isSet("is_deleted"),
  restore: isCleared("is_deleted"),
};

/** A change of these is another action, not an edit. Clearing is_acknowledged or is_declined is an edit too. */
const marks = new Set<string>([...jobFlags, "truck_id"]);

/** A request cannot make a job both acknowledged and declined, or both completed and failed. */
export function refuseContradictions(
  sent: Pick<CreateJobRequestBody, (typeof contradictions)[number][number]>,
  model: string,
): void {
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

/** A job has these fields only in a state. `by` begins that state, and `ends` ends it. */
const facts = [
  {
    names: ["completed_on", "completed_by"],
    has: "a completed job",
    by: "is_completed true",
    ends: "is_completed false",
  },
  { names: ["dispatched_on"], has: "a job on a truck", by: "a truck_id", ends: "truck_id null" },
] as const;

type FactName = (typeof facts)[number]["names"][number];
type FactJob = Partial<Pick<Job, "is_completed" | "truck_id">>;

const hasFact = (name: FactName, { is_completed, truck_id }: FactJob) =>
  name === "dispatched_on" ? (truck_id ?? null) !== null : is_completed === true;

/** Refuses a fact that does not fit the new state, and the loss of a fact that fits. `before` is null for a new job. */
export function refuseLooseFacts(
  sent: Partial<Record<FactName, unknown>>,
  before: FactJob | null,
  after: FactJob,
  model: string,
): void {
  const violations = facts.flatMap(({ by, ends, has, names }) =>
    names.flatMap((name): Violation[] => {
      const field = `${model}.${name}`;
      const isGiven = (sent[name] ?? null) !== null;
      const refuse = (detail: string) => [{ code: "state_conflict" as const, detail, field }];
      if (isGiven && !hasFact(name, after))
        return refuse(`${field}: only ${has} has one. Send ${by} in the same request.`);
      if (sent[name] === null && before && hasFact(name, before) && hasFact(name, after))
        return refuse(`${field}: ${has} always has one. Send ${ends} to clear it.`);
      return [];
    }),
  );
  throwIfAny(violations);
}

/** A flag that the request clears no longer refuses; a flag that it sets refuses the steps after it. */
export function requireSteps(
  before: Job,
  after: Job,
  steps: readonly JobAction[],
  { locationId, model }: Pick<JobRequest, "locationId" | "model">,
): void {
  const job: JobMarks = { ...before };
  // A request that restores a deleted job may change nothing else, so `is_deleted` keeps its old value here.
  for (const flag of jobFlags) if (flag !== "is_deleted") job[flag] = before[flag] && after[flag];
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

/** The most significant step names the event. The record shows the others. */
export function toEventAction(steps: readonly JobAction[]): string {
  const action = telling.find((step) => steps.includes(step));
  return action ? jobActions[action].done : "updated";
}

/** The most significant first. Without one of these, the event is an update. */
const telling: readonly JobAction[] = [
  "complete",
  "fail",
  "dispatch",
  "return",
  "acknowledge",
  "decline",
  "delete",
  "restore",
];
