import { toKnownPlace } from "../geography/projection.ts";
import { lengthOf, proposeOrder, type Visit } from "../geography/propose-order.ts";
import { isAhead, isOver } from "../models/job-state.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { BoardJob, BoardLocation, BoardTruck } from "./board.ts";

export interface RoutePlan {
  isChange: boolean;
  /** Straight-line meters to the last stop and home, for the current and the proposed order. */
  meters: { after: number; before: number };
  /** Completed, open, then declined jobs of each date. */
  order: readonly BoardJob[];
  /** Without coordinates: last within their date and time. */
  placeless: readonly BoardJob[];
  /** The last completed job; null means the location. */
  start: BoardJob | null;
  /** Open jobs. `number` and `was` are new and old places among all jobs, from 1. */
  stops: readonly { job: BoardJob; number: number; was: number }[];
}

/** Only open jobs of one date and time change places: lists sort by these before priority. */
export function planRoute(
  { jobs }: Pick<BoardTruck, "jobs">,
  location: BoardLocation,
  ofDay: readonly CompletedJob[],
): RoutePlan {
  const home = toKnownPlace(location);
  const start = findLast(jobs, ofDay);
  const from = toKnownPlace(start?.address) ?? home;
  const isDone = ({ state }: BoardJob) => !isAhead(state);
  const present = jobs.filter((job) => !isDone(job));
  const ahead = inDates(present, ({ state }) => Number(state !== "in progress"));
  const visits = ahead.flatMap((job): JobVisit[] => {
    const place = toKnownPlace(job.address);
    return place ? [{ group: `${job.schedule_date} ${job.state === "in progress"}`, job, place }] : [];
  });
  const proposed = proposeOrder(visits, home, from).map(({ job }) => job);
  const placeless = ahead.filter(({ address }) => !toKnownPlace(address));
  const wanted = inDates([...proposed, ...placeless], ({ state }) => Number(state !== "in progress"));
  const isChange = wanted.some((job, index) => job !== present[index]);
  const order = isChange ? inDates([...wanted, ...jobs.filter(isDone)], toTurn) : jobs;
  const toLength = (ordered: readonly BoardJob[]) =>
    lengthOf(
      ordered.flatMap(({ address }) => toKnownPlace(address) ?? []),
      home,
      from,
    );
  return {
    isChange,
    meters: { after: toLength(wanted), before: toLength(ahead) },
    order,
    placeless,
    start,
    stops: wanted.map((job) => ({ job, number: order.indexOf(job) + 1, was: jobs.indexOf(job) + 1 })),
  };
}

interface CompletedJob {
  completed_on: Timestamp | null;
  id: number;
}

function findLast(jobs: readonly BoardJob[], ofDay: readonly CompletedJob[]): BoardJob | null {
  const completed = new Map(ofDay.map(({ completed_on, id }) => [id, completed_on]));
  const at = ({ id }: BoardJob) => completed.get(id) ?? "";
  const [last] = jobs
    .filter((job) => at(job) !== "")
    .toSorted((one, other) => (at(one) < at(other) ? 1 : -1));
  return last ?? null;
}

interface JobVisit extends Visit {
  job: BoardJob;
}

/** Finished jobs come first. Declined jobs wait for the dispatcher. */
const toTurn = ({ state }: BoardJob) => (isOver(state) ? 0 : state === "declined" ? 2 : 1);

/** By date, jobs without a date last, and within a date by rank. A stable sort. */
function inDates(jobs: readonly BoardJob[], toRank: (job: BoardJob) => number): BoardJob[] {
  const keyOf = ({ schedule_date }: BoardJob) => schedule_date ?? "~";
  return jobs.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return a === b ? toRank(one) - toRank(other) : a < b ? -1 : 1;
  });
}
