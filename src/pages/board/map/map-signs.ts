import { computed, type ReadonlySignal } from "@preact/signals";
import type { BoardLocation } from "../../../board/board.ts";
import { toWords } from "../../../board/job-words.ts";
import { type Route, type Stop, toRoutes } from "../../../board/routes.ts";
import { type Cluster, clusterPoints } from "../../../geography/cluster-points.ts";
import { findTowns, type Town } from "../../../geography/place-labels.ts";
import { type Place, type Point, type Projection, toKnownPlace } from "../../../geography/projection.ts";
import { cardHasWords } from "../job-text.ts";
import type { Job } from "../state/read-day.ts";
import type { View } from "../state/view.ts";
import { isWithin, type Picture, scalesOf, toScreen } from "./map-picture.ts";

/** A stop on the screen, or those that lie on it; `key` is the id of the first one's job. */
export interface Sign {
  at: Point;
  key: number;
  members: readonly [ShownStop, ...ShownStop[]];
}

/** What stands on a picture. */
export interface MapSigns {
  /** Those in sight. */
  signs: ReadonlySignal<readonly Sign[]>;
  /** On the screen. */
  towns: ReadonlySignal<readonly Town[]>;
}

/** Makes signs of stops. While a picture is moved, stops are neither projected nor put together anew. */
export function toMapSigns(
  stops: ReadonlySignal<readonly ShownStop[]>,
  picture: ReadonlySignal<Picture | null>,
): MapSigns {
  const projection = computed(() => picture.value?.projection ?? null);
  // Signs that lie on each other do so at all scales of a step, which makes them steady while somebody zooms.
  const step = computed(() => 2 ** (Math.floor(4 * Math.log2(picture.value?.camera.scale ?? 1)) / 4));
  const points = computed(() => (projection.value ? toPoints(stops.value, projection.value) : []));
  const clusters = computed(() => toClusters(points.value, step.value));
  const towns = computed(() =>
    findTowns(points.value.map(({ point, stop }) => ({ at: point, name: stop.job.address?.locality ?? "" }))),
  );
  return {
    signs: computed(() => {
      const now = picture.value;
      return now ? clusters.value.flatMap((cluster) => toSign(cluster, now)) : [];
    }),
    towns: computed(() => {
      const now = picture.value;
      return now ? towns.value.map(({ at, name }) => ({ at: toScreen(now.camera, now.size, at), name })) : [];
    }),
  };
}

/** Whether stops ever stand apart, however near one goes. */
export function canPart(stops: readonly ShownStop[], projection: Projection): boolean {
  return toClusters(toPoints(stops, projection), scalesOf(projection).max).length > 1;
}

interface StopPoint {
  point: Point;
  stop: ShownStop;
}

const toPoints = (stops: readonly ShownStop[], { toPoint }: Projection): StopPoint[] =>
  stops.map((stop) => ({ point: toPoint(stop.place), stop }));

/** How far stops are apart whose signs do not cover each other, in pixels. */
const reach = { height: 24, width: 42 };

function toClusters(points: readonly StopPoint[], scale: number) {
  const scaled = points.map((one) => ({ ...one, at: { x: one.point.x * scale, y: one.point.y * scale } }));
  return clusterPoints(scaled, reach);
}

function toSign({ members: [first, ...others] }: Cluster<StopPoint>, { camera, size }: Picture): Sign[] {
  const at = toScreen(camera, size, first.point);
  const members: Sign["members"] = [first.stop, ...others.map(({ stop }) => stop)];
  return isWithin(at, size) ? [{ at, key: first.stop.job.id, members }] : [];
}

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
