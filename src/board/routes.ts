import { type Place, toKnownPlace } from "../geography/projection.ts";
import type { BoardJob, BoardLocation, BoardTruck } from "./board.ts";

export interface Route {
  /** A CSS color, dark enough for white letters. */
  color: string;
  /** `A` for the first truck of a location, `AA` for the 27th, `?` for no truck. */
  letters: string;
  name: string;
  /** Jobs without coordinates, or with a hidden address. */
  placeless: { job: BoardJob; mark: string }[];
  stops: Stop[];
  /** null for the jobs without a truck, which form no route. */
  truck: BoardTruck | null;
}

export interface Stop {
  job: BoardJob;
  /** The route's letters and the job's number in its order, like `A3`. */
  mark: string;
  place: Place;
}

export function toRoutes(
  trucks: readonly BoardTruck[],
  { unassigned }: Pick<BoardLocation, "unassigned">,
): Route[] {
  const routes = trucks.map((truck, index): Route => {
    const { jobs, name } = truck;
    const letters = toLetters(index);
    return { ...toStops(jobs, letters), color: toColor(index), letters, name, truck };
  });
  if (unassigned.length === 0) return routes;
  const loose = { color: "#6b7280", letters: "?", name: "On no truck", truck: null };
  return [...routes, { ...toStops(unassigned, loose.letters), ...loose }];
}

/** Crowded routes are thin lines, so that the stops stay visible. */
export function isCrowded(stops: readonly unknown[]): boolean {
  return stops.length > 300;
}

function toStops(jobs: readonly BoardJob[], letters: string): Pick<Route, "placeless" | "stops"> {
  const numbered = jobs.map((job, index) => ({
    job,
    mark: `${letters}${index + 1}`,
    place: toKnownPlace(job.address),
  }));
  return {
    placeless: numbered.flatMap(({ job, mark, place }) => (place ? [] : [{ job, mark }])),
    stops: numbered.flatMap(({ job, mark, place }) => (place ? [{ job, mark, place }] : [])),
  };
}

function toLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : toLetters(Math.floor(index / 26) - 1) + last;
}

const colors = [
  "#1d4ed8",
  "#b45309",
  "#047857",
  "#7c3aed",
  "#be185d",
  "#0e7490",
  "#4d7c0f",
  "#9f1239",
  "#4338ca",
  "#92400e",
  "#0f766e",
  "#a21caf",
];

/** Further colors are the golden angle apart. Only letters identify a route for certain. */
function toColor(index: number): string {
  return colors[index] ?? `hsl(${Math.round((index * 137.508) % 360)} 70% 33%)`;
}
