import type { BoardJob } from "../../../board/board.ts";
import { toBoardJob } from "../../../board/to-board.ts";
import type { DayState } from "./day-state.ts";
import type { Job } from "./read-day.ts";

/** A job as a board shows it. Throws for a job of a location that is not known here. */
export function toShownJob({ fleetOf, now, zoneOf }: DayState, job: Job): BoardJob {
  const fleet = fleetOf(job.location_id);
  if (!fleet) throw new Error(`Location ${job.location_id} is not shown here.`);
  return toBoardJob(job, fleet.location, { now: now.value, zone: zoneOf(job.location_id) });
}

/** The jobs of a truck on the board, in their order. */
export function jobsOfTruck({ board }: Pick<DayState, "board">, truckId: number | null): readonly BoardJob[] {
  const trucks = (board.value?.locations ?? []).flatMap((location) => location.trucks);
  return trucks.find(({ id }) => id === truckId)?.jobs ?? [];
}
