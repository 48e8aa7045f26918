import { isAhead, type JobMarks, jobStateTable, toJobState } from "../models/job-state.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { BoardJob } from "./board.ts";

/** What a board needs of a job as it is now, to see whether it is still what was shown. */
type JobNow = JobMarks & { priority: number | null; schedule_date: Timestamp | null };

/** When a job is to be done, and on which truck; what is absent stays. */
export interface JobPlan {
  new_schedule_date?: Timestamp;
  truck_id?: number | null;
}

/** Where a job stands among those that its truck has to do that day. */
export type JobPlace = { before: number } | { last: true };

/** The calls that change a job where it is kept, in a store or on a server. Each throws what the target refuses. */
export interface JobCalls<Changes, Answer> {
  /** The job as it is, and the entity tag that a change of it can be made for. */
  read(job: JobIds): Promise<{ etag: string | undefined; job: JobNow }>;
  dispatch(job: JobIds, plan: JobPlan, ifMatch: string | undefined): Promise<Answer>;
  move(job: JobIds, place: JobPlace, ifMatch: string | undefined): Promise<Answer>;
  update(job: JobIds, changes: Changes, ifMatch: string | undefined): Promise<Answer>;
  /** Whether an error is the target's refusal of the code. */
  isRefusal(error: unknown, code: "precondition_failed" | "unknown_reference"): boolean;
  /** The error for a conflict that was found before anything was asked for. */
  toConflict(detail: string): Error;
}

type JobIds = Pick<BoardJob, "id" | "location_id">;

/** What a board does with its jobs; each gives what the call answers. */
export interface BoardActions<Changes, Answer> {
  plan(job: BoardJob, plan: JobPlan): Promise<Answer>;
  change(job: BoardJob, changes: Changes): Promise<Answer>;
  /** Its truck has to be going to do the job on the day of the board. */
  place(job: BoardJob, place: JobPlace): Promise<Answer>;
}

/**
 * Changes jobs for somebody who looks at a board: only while the job is what the board shows, and whole or not at all. Throws
 * the conflict, in words, where somebody else was faster.
 */
export function boardActions<Changes, Answer>(
  calls: JobCalls<Changes, Answer>,
): BoardActions<Changes, Answer> {
  const conflict = (job: BoardJob, how: string) =>
    calls.toConflict(
      `Job ${job.id} ${how} by now: somebody else was faster. Nothing was done; the board shows it as it is.`,
    );
  /** Throws where others have given it another truck, date or state than is shown, or another place where that is meant. */
  const requireShown = async (job: BoardJob, isPlaceMeant: boolean) => {
    const { etag, job: now } = await calls.read(job);
    const state = toJobState(now);
    if (state !== job.state) throw conflict(job, jobStateTable[state].is);
    if ((now.truck_id ?? null) !== job.truck_id) throw conflict(job, "is on another truck");
    if (now.schedule_date !== job.schedule_date) throw conflict(job, "has another date");
    if (isPlaceMeant && now.priority !== job.priority) throw conflict(job, "has another place");
    return etag;
  };
  const rethrow = (job: BoardJob, error: unknown): never => {
    if (calls.isRefusal(error, "precondition_failed")) throw conflict(job, "has changed");
    throw error;
  };
  return {
    async plan(job, plan) {
      const ifMatch = await requireShown(job, false);
      return calls.dispatch(job, plan, ifMatch).catch((error: unknown) => rethrow(job, error));
    },
    async change(job, changes) {
      const ifMatch = await requireShown(job, false);
      return calls.update(job, changes, ifMatch).catch((error: unknown) => rethrow(job, error));
    },
    async place(job, place) {
      const ifMatch = await requireShown(job, true);
      return calls.move(job, place, ifMatch).catch((error: unknown) => {
        if (calls.isRefusal(error, "unknown_reference")) throw conflict(job, "has other neighbours");
        return rethrow(job, error);
      });
    },
  };
}

/** The place of a job that is done one place earlier (−1) or later (1) than it is; null where it is the first or last. */
export function toNextPlace(job: BoardJob, jobs: readonly BoardJob[], by: -1 | 1): JobPlace | null {
  const open = jobs.filter(({ state }) => isAhead(state));
  const at = open.findIndex(({ id }) => id === job.id);
  if (at < 0 || open[at + by] === undefined) return null;
  const next = open[by < 0 ? at - 1 : at + 2];
  return next ? { before: next.id } : { last: true };
}
