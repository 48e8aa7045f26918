import type { BoardJob, BoardTruck } from "../../../board/board.ts";
import type { JobPlace, JobPlan } from "../../../board/board-actions.ts";
import { sayDay } from "../../../local-time/show-time.ts";
import { dayOf, fromWholeDay, toMomentOfDay, toWholeDay } from "../../../local-time/whole-day.ts";
import type { LocalDate, Zone } from "../../../local-time/zone.ts";
import { isOver } from "../../../models/job-state.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import { isolate } from "../isolate.ts";
import type { Job } from "../state/read-day.ts";
import type { BoardActs } from "./doing.ts";

/** Where somebody puts a job. */
export interface Target {
  /** The day; absent: as it is, or the day of the board for a job that has none. */
  date?: LocalDate;
  /** The truck, null for none; absent: as it is. */
  truckId?: number | null;
  /** The place among the truck's jobs; absent: where its day and priority put it. */
  place?: JobPlace;
}

/** Whether somebody may move the job at all. */
export function mayMove({ session }: Pick<BoardActs, "session">, job: BoardJob): boolean {
  return session.mayCall("jobs.dispatch") && !isOver(job.state);
}

/** Puts a job somewhere else, in one act with the change that is made `first`. False where something was refused. */
export async function moveJob(
  parts: BoardActs,
  job: BoardJob,
  target: Target,
  first?: () => Promise<Job>,
): Promise<boolean> {
  const { doing, state } = parts;
  const zone = state.zoneOf(job.location_id);
  const date = target.date ?? (isOnBoard(job, parts) ? null : state.date.value);
  const plan: JobPlan = {
    ...(target.truckId !== undefined && target.truckId !== job.truck_id && { truck_id: target.truckId }),
    ...(date !== null &&
      toDay(job.schedule_date, zone) !== date && { new_schedule_date: toDate(job, date, zone) }),
  };
  const place = target.place ?? null;
  if (Object.keys(plan).length === 0 && place === null) return true;
  const words = [
    ...(plan.truck_id === undefined ? [] : [toTruckWords(parts, plan.truck_id)]),
    ...(plan.new_schedule_date === undefined || date === null
      ? []
      : [sayDay(date, { today: state.today.value })]),
  ];
  const name = `Job ${job.id}${first ? " changed" : ""}`;
  const note = words.length === 0 ? `${name} has another place` : `${name} → ${words.join(", ")}`;
  return doing.move(job, { first, place, plan }, note);
}

/** Whether the job is one of the day that is shown. */
function isOnBoard({ location_id, schedule_date }: BoardJob, { state }: BoardActs): boolean {
  return toDay(schedule_date, state.zoneOf(location_id)) === state.date.value;
}

const toDay = (planned: Timestamp | null, zone: Zone) => (planned === null ? null : dayOf(planned, zone));

/** The same time of the other day, where its clocks show it; else the whole day. */
function toDate({ schedule_date }: BoardJob, date: LocalDate, zone: Zone): Timestamp {
  if (schedule_date === null || toWholeDay(schedule_date) !== null) return fromWholeDay(date);
  const [moment] = zone.momentsOf(date, zone.toLocal(schedule_date)).moments;
  return moment === undefined ? fromWholeDay(date) : toMomentOfDay(moment);
}

function toTruckWords({ state }: BoardActs, truckId: number | null): string {
  if (truckId === null) return "no truck";
  return isolate(findTruck(state.board.value?.locations ?? [], truckId)?.name ?? `truck ${truckId}`);
}

function findTruck(locations: readonly { trucks: readonly BoardTruck[] }[], truckId: number) {
  return locations.flatMap(({ trucks }) => trucks).find(({ id }) => id === truckId);
}

/** The job of an id as it is shown, wherever that is. */
export function findShown({ state }: Pick<BoardActs, "state">, jobId: number): BoardJob | null {
  const { overdue, unassigned, unscheduled } = state.trays.value;
  const onTrucks = (state.board.value?.locations ?? []).flatMap(({ trucks }) =>
    trucks.flatMap(({ jobs }) => jobs),
  );
  return [...onTrucks, ...unassigned, ...overdue, ...unscheduled].find(({ id }) => id === jobId) ?? null;
}
