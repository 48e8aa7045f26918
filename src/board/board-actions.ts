import type { Client } from "../client/client.ts";
import type { NewestVersion, OperationsAt } from "../client/wire.ts";
import { DispatchError } from "../errors/dispatch-error.ts";
import { isAhead, jobStateTable, toJobState } from "../models/job-state.ts";
import type { BoardJob } from "./board.ts";

type Operations = OperationsAt<NewestVersion>;

type Job = Operations["jobs.update"]["answer"];

export type JobChanges = Operations["jobs.update"]["input"]["body"];

/** The new date and truck of a job. An absent field keeps its value. */
export type JobPlan = Operations["jobs.dispatch"]["input"]["body"];

/** The position of a job among the open jobs of its truck and day. */
export type JobPlace = { before: number } | { last: true };

/** The changes that a board makes to jobs. Each throws state_conflict if the job differs from the shown one. */
interface BoardActions {
  dispatch(job: BoardJob, plan: JobPlan): Promise<Job>;
  update(job: BoardJob, changes: JobChanges): Promise<Job>;
  move(job: BoardJob, place: JobPlace): Promise<Job>;
  /** Moves jobs one after the other in one request: all of them or none, with one undo. */
  moveAll(jobs: readonly BoardJob[], places: ReadonlyMap<number, JobPlace>): Promise<void>;
  /** Dispatches several jobs in one request: all of them or none, with one undo. `plan` may depend on the job. */
  dispatchAll(
    jobs: readonly BoardJob[],
    plan: JobPlan | ((job: BoardJob) => JobPlan),
    options?: { dryRun: boolean },
  ): Promise<void>;
  /** Updates several jobs like `dispatchAll`. */
  updateAll(jobs: readonly BoardJob[], changes: JobChanges): Promise<void>;
}

type JobPart =
  | ({ operation: "jobs.dispatch" } & Operations["jobs.dispatch"]["input"])
  | ({ operation: "jobs.update" } & Operations["jobs.update"]["input"]);

export const jobsAtOnceMax = 100;

export function boardActions(client: Client): BoardActions {
  const paramsOf = ({ id, location_id }: BoardJob) => ({ job_id: id, location_id });
  /** Throws state_conflict if the job differs from the shown one. */
  const readTag = async (job: BoardJob, isMove: boolean): Promise<string | undefined> => {
    const { answer: now, etag } = await client.exchange("jobs.get", { params: paramsOf(job) });
    const difference = findDifference(job, now, isMove);
    if (difference !== null) throw toConflict(job, difference);
    return etag ?? undefined;
  };
  /** Runs a change under the job's entity tag, so that it applies to the shown state. */
  const change = async (
    job: BoardJob,
    send: (request: { params: ReturnType<typeof paramsOf>; ifMatch: string | undefined }) => Promise<Job>,
    isMove = false,
  ): Promise<Job> => {
    const ifMatch = await readTag(job, isMove);
    try {
      return await send({ params: paramsOf(job), ifMatch });
    } catch (error) {
      if (hasCode(error, "precondition_failed")) throw toConflict(job, "has changed");
      if (isMove && hasCode(error, "unknown_reference")) throw toConflict(job, "has other neighbors");
      throw error;
    }
  };
  const changeAll = async (
    jobs: readonly BoardJob[],
    toPart: (job: BoardJob) => JobPart,
    dryRun = false,
  ): Promise<void> => {
    const parts = [];
    for (const job of jobs) parts.push({ ...toPart(job), ifMatch: await readTag(job, false) });
    await client.runBatch(parts, { dryRun });
  };
  return {
    dispatch: (job, body) => change(job, (request) => client.call("jobs.dispatch", { ...request, body })),
    update: (job, body) => change(job, (request) => client.call("jobs.update", { ...request, body })),
    move: (job, body) => change(job, (request) => client.call("jobs.move", { ...request, body }), true),
    async moveAll(jobs, places) {
      const parts = jobs.flatMap((job) => {
        const body = places.get(job.id);
        return body ? [{ operation: "jobs.move", params: paramsOf(job), body } as const] : [];
      });
      await client.runBatch(parts);
    },
    dispatchAll(jobs, plan, { dryRun } = { dryRun: false }) {
      const toBody = typeof plan === "function" ? plan : () => plan;
      const toPart = (job: BoardJob) =>
        ({ operation: "jobs.dispatch", params: paramsOf(job), body: toBody(job) }) as const;
      return changeAll(jobs, toPart, dryRun);
    },
    updateAll: (jobs, body) =>
      changeAll(jobs, (job) => ({ operation: "jobs.update", params: paramsOf(job), body })),
  };
}

/** In words; null if the job is as shown. */
function findDifference(shown: BoardJob, now: Job, isMove: boolean): string | null {
  const state = toJobState(now);
  if (state !== shown.state) return jobStateTable[state].is;
  if ((now.truck_id ?? null) !== shown.truck_id) return "is on another truck";
  if (now.schedule_date !== shown.schedule_date) return "has another date";
  return isMove && now.priority !== shown.priority ? "has another place" : null;
}

function toConflict({ id }: BoardJob, difference: string): DispatchError {
  const detail = `Job ${id} ${difference} now: another user changed it first. Nothing was saved; the board shows the current job.`;
  return new DispatchError([{ code: "state_conflict", detail, field: null }], { status: 409 });
}

export const hasCode = (error: unknown, code: string): error is DispatchError =>
  error instanceof DispatchError && error.violations.some((violation) => violation.code === code);

/** `by` −1 is up, 1 is down; null if the job is at that end already. */
export function toNextPlace(job: BoardJob, jobs: readonly BoardJob[], by: -1 | 1): JobPlace | null {
  const open = jobs.filter(({ state }) => isAhead(state));
  const at = open.findIndex(({ id }) => id === job.id);
  if (at < 0 || open[at + by] === undefined) return null;
  const next = open[by < 0 ? at - 1 : at + 2];
  return next ? { before: next.id } : { last: true };
}
