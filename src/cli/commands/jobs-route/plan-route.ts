import { toKnownPlace } from "../../../geography/known-place.ts";
import type { Place } from "../../../geography/projection.ts";
import { lengthOf, proposeOrder, type Visit } from "../../../geography/propose-order.ts";
import { isOver } from "../../../models/job-state.ts";
import type { BoardJob, BoardLocation, BoardTruck } from "../day/board.ts";

/** An order for what a truck still has to do on its day. */
export interface RoutePlan {
  /** Metres as the crow flies, from the location and back, as the jobs are ordered now and as is proposed. */
  metres: { after: number; before: number };
  /** Jobs without coordinates; they are last among those of their date and time. */
  placeless: readonly BoardJob[];
  /** The jobs whose priority has to change for the order; none when it is the present one. */
  priorities: readonly { job: BoardJob; priority: number }[];
  /** In the proposed order. `was` is the place in the present one, from 1. */
  stops: readonly { job: BoardJob; was: number }[];
}

/**
 * Plans the order of a truck's jobs. Lists are ordered by date and time before priority (OP-51), so only jobs of one date
 * and time change places.
 */
export function planRoute(truck: BoardTruck, location: BoardLocation): RoutePlan {
  const jobs = truck.jobs.filter(({ state }) => !isOver(state) && state !== "declined");
  const home = toKnownPlace(location);
  const visits = jobs.flatMap((job): JobVisit[] => {
    const place = toKnownPlace(job.address);
    return place ? [{ group: groupOf(job), job, place }] : [];
  });
  const placeless = jobs.filter(({ address }) => !toKnownPlace(address));
  const ordered = [...proposeOrder(visits, home).map(({ job }) => job), ...placeless];
  const groups = [...new Set(jobs.map(groupOf))];
  const wanted = groups.map((group) => ordered.filter((job) => groupOf(job) === group));
  const stops = wanted.flat().map((job) => ({ job, was: jobs.indexOf(job) + 1 }));
  const isAsBefore = stops.every(({ was }, index) => was === index + 1);
  return {
    metres: { after: lengthOfJobs(wanted.flat(), home), before: lengthOfJobs(jobs, home) },
    placeless,
    priorities: isAsBefore ? [] : wanted.flatMap(toPriorities),
    stops,
  };
}

interface JobVisit extends Visit {
  job: BoardJob;
}

const groupOf = ({ schedule_date }: BoardJob) => schedule_date ?? "";

function lengthOfJobs(jobs: readonly BoardJob[], home: Place | null): number {
  const places = jobs.map(({ address }) => toKnownPlace(address)).filter((place) => place !== null);
  return lengthOf(places, home);
}

/** −10 for the first, −20 for the second: others can be put between them. */
function toPriorities(jobs: readonly BoardJob[]): { job: BoardJob; priority: number }[] {
  return jobs
    .map((job, index) => ({ job, priority: -step * (index + 1) }))
    .filter(({ job, priority }) => job.priority !== priority);
}

const step = 10;
