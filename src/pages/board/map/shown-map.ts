import type { BoardLocation } from "../../../board/board.ts";
import { toWords } from "../../../board/filter-words.ts";
import { type Route, type Stop, toRoutes } from "../../../board/routes.ts";
import { toKnownPlace, type Place } from "../../../geography/projection.ts";
import { cardHasWords } from "../job-text.ts";
import type { Job } from "../state/read-day.ts";
import type { View } from "../state/view.ts";

/** What the map of a location shows, by the filters of the board. */
export interface ShownMap {
  /** Jobs without a place on it. */
  placeless: number;
  /** Those with jobs that are shown, and every truck that is. */
  routes: readonly Route[];
  stops: readonly ShownStop[];
  yard: Place | null;
}

/** A stop and the way that it belongs to. */
export interface ShownStop extends Stop {
  route: Route;
}

/** Makes it. Letters and numbers are those of the whole day, whatever is filtered out. */
export function toShownMap(
  location: BoardLocation,
  { text, truckId }: View,
  known: ReadonlyMap<number, Job>,
): ShownMap {
  const words = toWords(text);
  const all = toRoutes(location.trucks, location);
  const routes = all
    .filter(({ truck }) => truckId === null || truck?.id === truckId)
    .map((route): Route => {
      const name = route.truck ? `${route.truck.name} ${route.truck.driver ?? ""}` : "";
      const isShown = ({ job }: Pick<Stop, "job">) => cardHasWords(words, job, known.get(job.id), name);
      return { ...route, placeless: route.placeless.filter(isShown), stops: route.stops.filter(isShown) };
    });
  return {
    placeless: routes.reduce((sum, { placeless }) => sum + placeless.length, 0),
    routes,
    stops: routes.flatMap((route) => route.stops.map((stop) => ({ ...stop, route }))),
    yard: toKnownPlace(location),
  };
}
