import type { Board, BoardJob, BoardLocation } from "../../../board/board.ts";
import { toKnownPlace } from "../../../geography/known-place.ts";
import type { Place } from "../../../geography/projection.ts";
import type { TimeView } from "../../../local-time/show-time.ts";
import { Zone } from "../../../local-time/zone.ts";
import type { Timestamp } from "../../../runtime/clock.ts";

/** The jobs of a truck on a map, or those on no truck. */
export interface Route {
  /** A CSS colour, dark enough for white letters on it. */
  colour: string;
  /** `A` for the first truck of a location, `AA` for the 27th, `?` for no truck. */
  letters: string;
  name: string;
  stops: Stop[];
  /** All its jobs, those that cannot be placed included. */
  total: number;
  /** Whether the stops are one way, to be drawn as such. */
  isDriven: boolean;
}

/** A job that has a place. */
export interface Stop {
  job: BoardJob;
  /** The route's letters and the job's number in its order, like `A3`. */
  mark: string;
  place: Place;
}

/** What a map shows of a location. */
export interface MapData {
  location: BoardLocation;
  /** Jobs whose address has no coordinates, or cannot be seen. */
  placeless: { job: BoardJob; mark: string }[];
  /** When it was read. */
  readOn: Timestamp;
  routes: Route[];
  /** How its times are shown. */
  view: TimeView;
  yard: Place | null;
}

/** The routes of a location that have jobs. */
export function toMapData(
  location: BoardLocation,
  { date, generated_on: readOn }: Pick<Board, "date" | "generated_on">,
): MapData {
  const placeless: MapData["placeless"] = [];
  const toStops = (jobs: readonly BoardJob[], letters: string) =>
    jobs.flatMap((job, index): Stop[] => {
      const mark = `${letters}${index + 1}`;
      const place = toKnownPlace(job.address);
      if (!place) placeless.push({ job, mark });
      return place ? [{ job, mark, place }] : [];
    });
  const busy = location.trucks.filter(({ jobs }) => jobs.length > 0);
  const routes = busy.map(({ jobs, name }, index): Route => {
    const letters = toLetters(index);
    const stops = toStops(jobs, letters);
    return { colour: toColour(index), isDriven: true, letters, name, stops, total: jobs.length };
  });
  const { unassigned } = location;
  if (unassigned.length > 0) {
    const stops = toStops(unassigned, "?");
    const name = "On no truck";
    routes.push({ colour: "#6b7280", isDriven: false, letters: "?", name, stops, total: unassigned.length });
  }
  const view = { today: date, zone: new Zone(location.time_zone) };
  return { location, placeless, readOn, routes, view, yard: toKnownPlace(location) };
}

function toLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : toLetters(Math.floor(index / 26) - 1) + last;
}

const colours = [
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

/** Beyond the chosen ones, hues as far from one another as they come; letters tell routes apart for certain. */
function toColour(index: number): string {
  return colours[index] ?? `hsl(${Math.round((index * 137.508) % 360)} 70% 33%)`;
}
