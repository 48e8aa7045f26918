import type { BoardJob } from "../../../board/board.ts";
import { boardActions, type JobPlace, type JobPlan } from "../../../board/board-actions.ts";
import { sayDay, sayDayOrMoment } from "../../../local-time/show-time.ts";
import { dayOf, fromWholeDay, toMomentOfDay, toWholeDay } from "../../../local-time/whole-day.ts";
import type { LocalDate, Zone } from "../../../local-time/zone.ts";
import { isAhead, isOver } from "../../../models/job-state.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import { messageOf } from "../../session/keep-trying.ts";
import { isolate } from "../job-text.ts";
import type { DayState } from "../state/day-state.ts";
import type { Job } from "../state/read-day.ts";
import { jobsOfTruck, toShownJob } from "../state/show-job.ts";
import type { ActionParts, Send } from "./actions.ts";

export interface Target {
  /** Absent: the job keeps its day. A job without a day gets the board's. */
  date?: LocalDate;
  /** The new time on that day. Absent: the job keeps its time. */
  moment?: Timestamp;
  /** null for no truck. Absent: the job keeps its truck. */
  truckId?: number | null;
  /** By the ids of jobs, which the service moves in this order. Absent: the day and the priority decide. */
  places?: ReadonlyMap<number, JobPlace>;
}

export function mayMove({ session }: Pick<ActionParts, "session">, job: BoardJob): boolean {
  return session.mayCall("jobs.dispatch") && !isOver(job.state);
}

/** Sends `first` in the same action. Returns false if the service refused it. */
export async function moveJob(
  parts: ActionParts,
  job: BoardJob,
  target: Target,
  first?: () => Promise<Job>,
): Promise<boolean> {
  const { state } = parts;
  const { date, plan } = toPlan(state, job, target);
  const place = target.places?.get(job.id) ?? null;
  if (Object.keys(plan).length === 0 && place === null) return true;
  const words = [
    ...(plan.truck_id === undefined ? [] : [toTruckName(state, plan.truck_id)]),
    ...(plan.new_schedule_date === undefined || date === null
      ? []
      : sayTarget(state, { ...target, date }, job)),
  ];
  const name = `Job ${job.id}${first ? " changed" : ""}`;
  const label = words.length === 0 ? `${name} has another place` : `${name} → ${words.join(", ")}`;
  return sendMove(parts, job, { first, place, plan }, label);
}

function toPlan(state: DayState, job: BoardJob, target: Target): { date: LocalDate | null; plan: JobPlan } {
  const zone = state.zoneOf(job.location_id);
  const day = toDay(job.schedule_date, zone);
  const date = target.date ?? (day === state.date.value ? null : state.date.value);
  const plan = {
    ...(target.truckId !== undefined && target.truckId !== job.truck_id && { truck_id: target.truckId }),
    ...(target.moment !== undefined && { new_schedule_date: toMomentOfDay(target.moment) }),
    ...(target.moment === undefined &&
      date !== null &&
      day !== date && { new_schedule_date: toDate(job, date, zone) }),
  };
  return { date, plan };
}

/** Moves jobs in one action, which one undo reverts. */
export function moveJobs(parts: ActionParts, jobs: readonly BoardJob[], target: Target): Promise<boolean> {
  const { session, state } = parts;
  const [first] = jobs;
  if (first && jobs.length === 1) return moveJob(parts, first, target);
  const plans = new Map(jobs.map((job) => [job, toPlan(state, job, target).plan]));
  const moved = jobs.filter((job) => Object.keys(plans.get(job) ?? {}).length > 0);
  const words = [
    ...(target.truckId === undefined ? [] : [toTruckName(state, target.truckId)]),
    ...sayTarget(state, target, first),
  ];
  const { places } = target;
  if (moved.length === 0 && !places) return Promise.resolve(true);
  const calls = boardActions(session.client);
  const label = `${places ? jobs.length : moved.length} jobs ${moved.length === 0 ? "have another place" : `→ ${words.join(", ")}`}`;
  return parts.actions.run(null, label, async (onStep) => {
    const putBack = moved.map((job) => showAsPlanned(state, job.id, plans.get(job) ?? {}));
    try {
      if (moved.length > 0) await calls.dispatchAll(moved, (job) => plans.get(job) ?? {});
      await state.reload("jobs");
    } finally {
      for (const put of putBack) put();
    }
    const done = { jobIds: moved.map(({ id }) => id) };
    if (!places) return done;
    if (moved.length > 0) await onStep(done);
    await calls
      .moveAll(jobs, places)
      .catch(toPartial("The jobs are on their truck and day, but not at the chosen place"));
    await state.reload("jobs");
    // A place may change the priorities of the other jobs.
    return { jobIds: [...jobs, ...jobsOfTruck(state, target.truckId ?? null)].map(({ id }) => id) };
  });
}

function sayTarget(state: DayState, { date, moment }: Target, job: BoardJob | undefined): string[] {
  const view = { today: state.today.value, zone: state.zoneOf(job?.location_id ?? null) };
  if (moment !== undefined) return [sayDayOrMoment(moment, view)];
  return date === undefined ? [] : [sayDay(date, view)];
}

const toDay = (planned: Timestamp | null, zone: Zone) => (planned === null ? null : dayOf(planned, zone));

/** Keeps the time if the other day has it, otherwise the whole day. */
function toDate({ schedule_date }: BoardJob, date: LocalDate, zone: Zone): Timestamp {
  if (schedule_date === null || toWholeDay(schedule_date) !== null) return fromWholeDay(date);
  const [moment] = zone.momentsOf(date, zone.toLocal(schedule_date)).moments;
  return moment === undefined ? fromWholeDay(date) : toMomentOfDay(moment);
}

function toTruckName({ board }: DayState, truckId: number | null): string {
  if (truckId === null) return "no truck";
  const trucks = (board.value?.locations ?? []).flatMap((location) => location.trucks);
  return isolate(trucks.find(({ id }) => id === truckId)?.name ?? `truck ${truckId}`);
}

interface Move {
  first?: (() => Promise<Job>) | undefined;
  plan: JobPlan;
  place?: JobPlace | null;
}

/** One action. A retry sends only what the service has not done. */
export function sendMove(parts: ActionParts, job: BoardJob, move: Move, label: string): Promise<boolean> {
  const { actions, state } = parts;
  if (move.first)
    return actions.run(
      job.id,
      label,
      toRequests(parts, () => job, move),
    );
  return actions.attempt(job, label, (now, isRetry) => {
    if (!isRetry) return toRequests(parts, now, move);
    return async (onStep) => {
      const found = await readJob(parts, job);
      const rest = toRest(state, found, move);
      return rest ? toRequests(parts, now, rest)(onStep) : found;
    };
  });
}

export async function readJob({ session, state }: ActionParts, { id, location_id }: BoardJob): Promise<Job> {
  const job = await session.client.call("jobs.get", { params: { job_id: id, location_id } });
  state.take(job);
  return job;
}

/** Sets truck and day, then the place if needed. The board shows the new place at once. */
function toRequests(parts: ActionParts, now: () => BoardJob, { first, place = null, plan }: Move): Send {
  const { session, state } = parts;
  const calls = boardActions(session.client);
  return async (onStep) => {
    if (first) {
      const changed = await first();
      await onStep(changed);
      const moveChanged = toRequests(parts, () => toShownJob(state, changed), { place, plan });
      return moveChanged(onStep).catch(toPartial(`Job ${changed.id} was changed, but is not on that truck`));
    }
    const job = now();
    if (Object.keys(plan).length === 0) return place ? calls.move(job, place) : null;
    const putBack = showAsPlanned(state, job.id, plan);
    const planned = await calls.dispatch(job, plan).finally(putBack);
    state.take(planned);
    if (!place || isInPlace(state, planned, place)) return planned;
    await onStep(planned);
    return calls
      .move(toShownJob(state, planned), place)
      .catch(toPartial(`Job ${job.id} is on its truck and day, but not at the chosen place`));
  };
}

/** null if the service has done everything. */
function toRest(state: DayState, job: Job, { place = null, plan }: Move): Move | null {
  const { new_schedule_date, truck_id } = plan;
  const rest: JobPlan = {
    ...(truck_id !== undefined && truck_id !== (job.truck_id ?? null) && { truck_id }),
    ...(new_schedule_date !== undefined && new_schedule_date !== job.schedule_date && { new_schedule_date }),
  };
  const isPlanned = Object.keys(rest).length === 0;
  return isPlanned && (!place || isInPlace(state, job, place)) ? null : { place, plan: rest };
}

function toPartial(done: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${done}. ${messageOf(error)}`, { cause: error });
  };
}

/** Until the service answers. Returns a function that restores the old place. */
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
    // Another user may have changed the job since.
    if (state.jobs.value.get(jobId) === after) state.take(before);
  };
}

function isInPlace(state: DayState, job: Job, place: JobPlace): boolean {
  const ahead = jobsOfTruck(state, job.truck_id).filter((other) => isAhead(other.state));
  const next = ahead[ahead.findIndex(({ id }) => id === job.id) + 1];
  return "before" in place ? next?.id === place.before : next === undefined;
}
