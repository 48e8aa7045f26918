import { distanceBetween } from "./distance.ts";
import type { Place } from "./projection.ts";

/** A place to drive to. Visits of one group stay together. */
export interface Visit {
  group: string;
  place: Place;
}

/** The length in meters from the start through all places to home. Without home, from the first place to the last. */
export function lengthOf(places: readonly Place[], home: Place | null, start = home): number {
  const way = [start, ...places, home].filter((place) => place !== null);
  return way.reduce((sum, place, index) => {
    const next = way[index + 1];
    return next ? sum + distanceBetween(place, next) : sum;
  }, 0);
}

/** Nearest neighbor, then 2-opt within groups. Never longer than the given order; depends only on the places. */
export function proposeOrder<V extends Visit>(visits: readonly V[], home: Place | null, start = home): V[] {
  const groups = toGroups(visits);
  const ends = { home, start };
  const greedy = improve(groups, visitNearest(groups, start), ends);
  // The given order may be better than the nearest neighbors.
  const given = improve(groups, groups.flat(), ends);
  const length = (order: readonly V[]) =>
    lengthOf(
      order.map(({ place }) => place),
      home,
      start,
    );
  return length(greedy) < length(given) - shorterByMeters ? greedy : given;
}

/** null: anywhere. */
interface Ends {
  home: Place | null;
  start: Place | null;
}

/** The smallest gain, in meters, that justifies another order. */
const shorterByMeters = 0.5;
/** 2-opt needs fewer than ten rounds in practice. */
const roundsMax = 50;

function toGroups<V extends Visit>(visits: readonly V[]): V[][] {
  const groups = new Map<string, V[]>();
  for (const visit of visits) groups.set(visit.group, [...(groups.get(visit.group) ?? []), visit]);
  return [...groups.values()];
}

function visitNearest<V extends Visit>(groups: readonly (readonly V[])[], home: Place | null): V[] {
  const order: V[] = [];
  let at = home;
  for (const group of groups) {
    const left = [...group];
    while (left.length > 0) {
      const from = at;
      const distances = left.map(({ place }) => (from ? distanceBetween(from, place) : 0));
      const nearest = distances.indexOf(Math.min(...distances));
      for (const visit of left.splice(nearest, 1)) {
        order.push(visit);
        at = visit.place;
      }
    }
  }
  return order;
}

function improve<V extends Visit>(groups: readonly (readonly V[])[], order: readonly V[], ends: Ends): V[] {
  const improved = [...order];
  for (let round = 0; round < roundsMax; round++) {
    let start = 0;
    let isShorter = false;
    for (const { length } of groups) {
      isShorter = improveStretch(improved, start, start + length, ends) || isShorter;
      start += length;
    }
    if (!isShorter) break;
  }
  return improved;
}

/** Handles the visits from `from` to before `end`. Returns whether the route got shorter. */
function improveStretch(order: Visit[], from: number, end: number, { home, start }: Ends): boolean {
  const placeAt = (index: number) => order[index]?.place ?? (index < 0 ? start : home);
  let isShorter = false;
  for (let first = from; first < end - 1; first++)
    for (let last = first + 1; last < end; last++) {
      const [before, one, other, after] = [first - 1, first, last, last + 1].map(placeAt);
      const now = between(before, one) + between(other, after);
      const turned = between(before, other) + between(one, after);
      if (turned >= now - shorterByMeters) continue;
      const stretch = order.slice(first, last + 1).reverse();
      order.splice(first, stretch.length, ...stretch);
      isShorter = true;
    }
  return isShorter;
}

/** Without home, the route begins and ends anywhere. */
export const between = (one: Place | null | undefined, other: Place | null | undefined) =>
  one && other ? distanceBetween(one, other) : 0;
