import { type Place, toKnownPlace } from "../geography/projection.ts";
import { between } from "../geography/propose-order.ts";
import { isWholeDay } from "../local-time/whole-day.ts";
import { isAhead } from "../models/job-state.ts";
import type { BoardJob, BoardLocation, BoardTruck } from "./board.ts";
import type { ListedJob } from "./load-board.ts";
import { planRoute, type RoutePlan } from "./plan-route.ts";
import { compareJobs } from "./to-board.ts";
import { isReady } from "./truck-words.ts";

export interface DayPlan {
  /** Only the trucks that get a job or another order. */
  trucks: { added: ReadonlySet<number>; plan: RoutePlan; truck: BoardTruck }[];
  /** The jobs for which no truck is free. */
  left: readonly BoardJob[];
}

/**
 * Proposes a truck for each waiting job, and an order for each truck. Each free truck gets at most its share of the
 * jobs, or four. Among these trucks, one without a job of the same time comes first, then the one with the shortest detour.
 */
export function planDay(
  location: BoardLocation,
  waiting: readonly BoardJob[],
  ofDay: readonly ListedJob[],
): DayPlan {
  const loads = location.trucks.filter(isFree).map((truck) => ({ jobs: truck.jobs.filter(isOpen), truck }));
  const count = loads.reduce((sum, { jobs }) => sum + jobs.length, waiting.length);
  const share = Math.max(Math.ceil(count / loads.length), fewStops);
  const home = toKnownPlace(location);
  const added = new Map<number, BoardJob[]>();
  for (const job of loads.length > 0 ? waiting : []) {
    const able = loads.filter(({ jobs }) => jobs.length < share);
    const best = able
      .map((load) => ({ load, costs: toCosts(job, load.jobs, home) }))
      .reduce((one, other) => (compare(one.costs, other.costs) <= 0 ? one : other));
    best.load.jobs.push(job);
    const { id } = best.load.truck;
    added.set(id, [...(added.get(id) ?? []), job]);
  }
  const planned = location.trucks.map((truck) => {
    const own = added.get(truck.id) ?? [];
    const jobs = [...truck.jobs, ...own].sort(compareJobs);
    const plan = planRoute({ jobs }, location, ofDay);
    return { added: new Set(own.map(({ id }) => id)), plan, truck: { ...truck, jobs } };
  });
  return {
    trucks: planned.filter(({ added: own, plan }) => own.size > 0 || plan.isChange),
    left: loads.length > 0 ? [] : waiting,
  };
}

/** A detour to a second truck is worse than so many stops. */
const fewStops = 4;

const isOpen = ({ state }: BoardJob) => isAhead(state);

const isFree = (truck: BoardTruck) => truck.driver !== null && isReady(truck);

/** Jobs of the same time, the detour in meters, and the number of jobs. */
function toCosts(job: BoardJob, jobs: readonly BoardJob[], home: Place | null): number[] {
  const start = startOf(job);
  const clashes = start === null ? 0 : jobs.filter((other) => startOf(other) === start).length;
  const place = toKnownPlace(job.address);
  const places = jobs.flatMap(({ address }) => toKnownPlace(address) ?? []);
  const way = [home, ...places, home];
  const detours = way
    .slice(1)
    .map((next, at) => between(way[at], place) + between(place, next) - between(way[at], next));
  return [clashes, place ? Math.min(...detours) : 0, jobs.length];
}

function startOf({ desired_start_time, schedule_date }: BoardJob): string | null {
  return desired_start_time ?? (schedule_date && !isWholeDay(schedule_date) ? schedule_date : null);
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((cost, index) => cost !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
