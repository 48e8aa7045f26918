import { computed, type ReadonlySignal } from "@preact/signals";
import { type Cluster, clusterPoints } from "../../../geography/cluster-points.ts";
import type { Point, Projection } from "../../../geography/projection.ts";
import { findTowns, type Town } from "../../../geography/place-labels.ts";
import { toScreen } from "./camera.ts";
import { isWithin, type Picture, scalesOf } from "./map-picture.ts";
import type { ShownStop } from "./shown-map.ts";

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
