import type { BoardJob } from "../../../board/board.ts";
import { toBoardJob } from "../../../board/to-board.ts";
import type { DayState } from "./day-state.ts";
import type { Job } from "./read-day.ts";

/** Throws if the page does not know its location. */
export function toShownJob({ fleetOf, now, zoneOf }: DayState, job: Job): BoardJob {
  const fleet = fleetOf(job.location_id);
  if (!fleet) throw new Error(`This page does not show location ${job.location_id}.`);
  return toBoardJob(job, fleet.location, { now: now.value, zone: zoneOf(job.location_id) });
}

/** Returns `job` if the page no longer shows it. */
export function toCurrent(state: DayState, job: BoardJob): BoardJob {
  const known = state.jobs.peek().get(job.id);
  return known ? toShownJob(state, known) : job;
}

export function jobsOfTruck({ board }: Pick<DayState, "board">, truckId: number | null): readonly BoardJob[] {
  const trucks = (board.value?.locations ?? []).flatMap((location) => location.trucks);
  return trucks.find(({ id }) => id === truckId)?.jobs ?? [];
}

export function findShown({ board, trays }: DayState, jobId: number): BoardJob | null {
  const { overdue, unassigned, unscheduled } = trays.value;
  const onTrucks = (board.value?.locations ?? []).flatMap(({ trucks }) => trucks.flatMap(({ jobs }) => jobs));
  return [...onTrucks, ...unassigned, ...overdue, ...unscheduled].find(({ id }) => id === jobId) ?? null;
}
