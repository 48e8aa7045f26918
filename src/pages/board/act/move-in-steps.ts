import type { BoardJob } from "../../../board/board.ts";
import type { BoardActions, JobPlace, JobPlan } from "../../../board/board-actions.ts";
import { isAhead } from "../../../models/job-state.ts";
import { messageOf } from "../../message-of.ts";
import type { DayState } from "../state/day-state.ts";
import type { Job } from "../state/read-day.ts";
import { jobsOfTruck, toShownJob } from "../state/show-job.ts";
import type { JobChanges } from "./job-calls.ts";

/** Changes one job and gives it as it is then; `step` is told of it after each change but the last. */
export type Act = (step: (job: Job) => Promise<void>) => Promise<Job | null>;

/** What moving a job needs: what asks the server, what is shown, and who is told between two steps. */
interface Moving {
  actions: BoardActions<JobChanges, Job>;
  state: DayState;
  step: Parameters<Act>[0];
}

/** What a job is given at once, as far as somebody who looks at it can tell. */
export interface Move {
  /** A change that is made before; the job of the rest is meant as it is then. */
  first?: (() => Promise<Job>) | undefined;
  plan: JobPlan;
  place?: JobPlace | null;
}

/** Gives a job its truck and day, then its place, where that does not follow from them. It is shown there at once. */
export async function moveInSteps(moving: Moving, job: BoardJob, move: Move): Promise<Job | null> {
  const { actions, state, step } = moving;
  const { first, place = null, plan } = move;
  if (first) {
    const changed = await first();
    await step(changed);
    return moveInSteps(moving, toShownJob(state, changed), { place, plan }).catch(
      tellHalf(`Job ${job.id} is changed, but not on that truck`),
    );
  }
  if (Object.keys(plan).length === 0) return place ? actions.place(job, place) : null;
  const putBack = showAsPlanned(state, job.id, plan);
  const planned = await actions.plan(job, plan).finally(putBack);
  state.take(planned);
  if (!place || isInPlace(state, planned, place)) return planned;
  await step(planned);
  return actions
    .place(toShownJob(state, planned), place)
    .catch(tellHalf(`Job ${job.id} is on its truck and day, but not at that place`));
}

/** The part of a move that the job still needs; null where the service has done all of it. */
export function toRest(state: DayState, job: Job, { place = null, plan }: Move): Move | null {
  const { new_schedule_date, truck_id } = plan;
  const rest: JobPlan = {
    ...(truck_id !== undefined && truck_id !== (job.truck_id ?? null) && { truck_id }),
    ...(new_schedule_date !== undefined && new_schedule_date !== job.schedule_date && { new_schedule_date }),
  };
  const isPlanned = Object.keys(rest).length === 0;
  return isPlanned && (!place || isInPlace(state, job, place)) ? null : { place, plan: rest };
}

/** Tells what is done all the same. */
function tellHalf(done: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${done}. ${messageOf(error)}`, { cause: error });
  };
}

/** Shows a job where it is to be, while the server is asked; what is given puts it back. */
function showAsPlanned(state: DayState, jobId: number, { new_schedule_date, truck_id }: JobPlan): () => void {
  const before = state.jobs.value.get(jobId);
  if (!before) return () => undefined;
  const after = {
    ...before,
    ...(truck_id !== undefined && { truck_id }),
    ...(new_schedule_date !== undefined && { schedule_date: new_schedule_date }),
  };
  state.take(after);
  return () => {
    // Somebody may have changed it meanwhile.
    if (state.jobs.value.get(jobId) === after) state.take(before);
  };
}

/** Whether a job stands where it is wanted by its day and priority already. */
function isInPlace(state: DayState, job: Job, place: JobPlace): boolean {
  const ahead = jobsOfTruck(state, job.truck_id).filter((other) => isAhead(other.state));
  const next = ahead[ahead.findIndex(({ id }) => id === job.id) + 1];
  return "before" in place ? next?.id === place.before : next === undefined;
}
