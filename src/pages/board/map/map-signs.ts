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

/** A stop on the screen, or several overlapping ones; `key` is the first job's id. */
export interface Sign {
  at: Point;
  key: number;
  members: readonly [ShownStop, ...ShownStop[]];
}

export interface MapSigns {
  signs: ReadonlySignal<readonly Sign[]>;
  /** In screen coordinates. */
  towns: ReadonlySignal<readonly Town[]>;
}

/** A moved picture needs no new projection or clusters. */
export function toMapSigns(
  stops: ReadonlySignal<readonly ShownStop[]>,
  picture: ReadonlySignal<Picture | null>,
): MapSigns {
  const projection = computed(() => picture.value?.projection ?? null);
  // Clusters change only between steps of the scale, so they stay steady while the user zooms.
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

/** Whether any zoom separates the stops. */
export function canPart(stops: readonly ShownStop[], projection: Projection): boolean {
  return toClusters(toPoints(stops, projection), scalesOf(projection).max).length > 1;
}

interface StopPoint {
  point: Point;
  stop: ShownStop;
}

const toPoints = (stops: readonly ShownStop[], { toPoint }: Projection): StopPoint[] =>
  stops.map((stop) => ({ point: toPoint(stop.place), stop }));

/** Signs within this distance in pixels overlap. */
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

export interface ShownMap {
  placeless: number;
  routes: readonly Route[];
  stops: readonly ShownStop[];
  yard: Place | null;
}

export interface ShownStop extends Stop {
  route: Route;
}

/** Letters and numbers count the whole day, whatever the filter hides. */
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
