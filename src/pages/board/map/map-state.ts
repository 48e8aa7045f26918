import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { clusterPoints } from "../../../geography/cluster-points.ts";
import { fitProjection, type Place, type Point, type Projection } from "../../../geography/projection.ts";
import { findTowns, type Town } from "../../../geography/towns.ts";
import { toEpochMs } from "../../../runtime/clock.ts";
import type { BoardParts } from "../board-context.ts";
import { type Camera, fitCamera, panBy, type Size, toScreen, zoomBy } from "./camera.ts";
import { type ShownMap, type ShownStop, toShownMap } from "./shown-map.ts";
import { followTrucks, type TruckPlaces } from "./truck-places.ts";

/** A part of the earth as it is on the screen. */
export interface Picture {
  camera: Camera;
  projection: Projection;
  size: Size;
  toPoint(place: Place): Point;
}

/** A stop on the screen, or those that lie on it; `key` is the id of the first one's job. */
export interface Sign {
  at: Point;
  key: number;
  members: readonly [ShownStop, ...ShownStop[]];
}

/** The job whose card has the focus, or had it last. */
export interface Marked {
  jobId: number;
}

/** The map of a location, as it is looked at. */
export interface MapState {
  /** null until there is something to show, and room for it. */
  picture: ReadonlySignal<Picture | null>;
  shown: ReadonlySignal<ShownMap>;
  /** Those in sight. */
  signs: ReadonlySignal<readonly Sign[]>;
  size: Signal<Size>;
  /** On the screen. */
  towns: ReadonlySignal<readonly Town[]>;
  trucks: TruckPlaces;
  pan(x: number, y: number): void;
  zoom(factor: number, at?: Point): void;
  /** All that is shown, also what comes later. */
  showAll(): void;
  /** Goes so near that stops lie apart; false where they never do. */
  partStops(stops: readonly ShownStop[]): boolean;
  end(): void;
}

/** Opens the map of a location; the stop of the marked job stays in sight. */
export function openMap(
  { session, state, view }: BoardParts,
  locationId: number,
  marked: ReadonlySignal<Marked | null>,
): MapState {
  const trucks = followTrucks(session, locationId);
  const size = signal<Size>({ height: 0, width: 0 });
  const held = signal<Pick<Picture, "camera" | "projection"> | null>(null);
  const shown = computed(() => {
    const location = state.board.value?.locations.find(({ id }) => id === locationId);
    return location ? toShownMap(location, view.value, state.jobs.value) : nothing;
  });
  const all = computed((): Place[] => {
    const { routes, stops, yard } = shown.value;
    const isShown = new Set(routes.map(({ truck }) => truck?.id));
    const recent = [...trucks.byTruck.value.values()].filter(
      ({ measured_on, truck_id }) =>
        isShown.has(truck_id) && toEpochMs(state.now.peek()) - toEpochMs(measured_on) < recentMs,
    );
    return [...stops.map(({ place }) => place), ...(yard ? [yard] : []), ...recent];
  });
  const fitted = computed(() => {
    const projection = fitProjection(all.value, base);
    const points = all.value.map(projection.toPoint);
    return { camera: fitCamera(points, size.value, unitsOf(kilometre, projection)), projection };
  });
  const picture = computed((): Picture | null => {
    const room = size.value;
    if (room.width === 0 || all.value.length === 0) return null;
    const { camera, projection } = held.value ?? fitted.value;
    const toPoint = (place: Place) => toScreen(camera, room, projection.toPoint(place));
    return { camera, projection, size: room, toPoint };
  });
  const projection = computed(() => picture.value?.projection ?? null);
  // Signs that lie on each other do so at all scales of a step, which makes them steady while somebody zooms.
  const step = computed(() => 2 ** (Math.floor(4 * Math.log2(picture.value?.camera.scale ?? 1)) / 4));
  const points = computed(() => toPoints(shown.value.stops, projection.value));
  const clusters = computed(() => toClusters(points.value, step.value));
  const towns = computed(() =>
    findTowns(points.value.map(({ point, stop }) => ({ at: point, name: stop.job.address?.locality ?? "" }))),
  );
  const signs = computed(() => {
    const shownNow = picture.value;
    if (!shownNow) return [];
    const { camera, size } = shownNow;
    return clusters.value.flatMap(({ members: [first, ...others] }): Sign[] => {
      const at = toScreen(camera, size, first.point);
      if (!isWithin(at, size)) return [];
      return [{ at, key: first.stop.job.id, members: [first.stop, ...others.map(({ stop }) => stop)] }];
    });
  });
  const scalesOf = (projection: Projection) => ({
    max: unitsOf(1, projection) ** -1 / metresPerPixel.min,
    min: unitsOf(1, projection) ** -1 / metresPerPixel.max,
  });
  const hold = (change: (picture: Picture) => Camera) => {
    const now = picture.peek();
    if (now) held.value = { camera: change(now), projection: now.projection };
  };
  const keepInSight = effect(() => {
    const id = marked.value?.jobId;
    const stop = shown.peek().stops.find(({ job }) => job.id === id);
    const now = picture.peek();
    if (!stop || !now || isWithin(now.toPoint(stop.place), now.size)) return;
    hold(({ camera, projection }) => ({ ...camera, ...projection.toPoint(stop.place) }));
  });
  return {
    picture,
    shown,
    signs,
    size,
    towns: computed(() => {
      const now = picture.value;
      return now ? towns.value.map(({ at, name }) => ({ at: toScreen(now.camera, now.size, at), name })) : [];
    }),
    trucks,
    pan: (x, y) => hold(({ camera }) => panBy(camera, x, y)),
    zoom: (factor, at) =>
      hold(({ camera, projection, size }) =>
        zoomBy(camera, factor, { ...(at && { at }), scales: scalesOf(projection), size }),
      ),
    showAll() {
      held.value = null;
    },
    partStops(stops) {
      const now = picture.peek();
      if (!now) return false;
      const { projection, size } = now;
      const own = toPoints(stops, projection);
      if (toClusters(own, scalesOf(projection).max).length === 1) return false;
      hold(({ camera }) => {
        const fit = fitCamera(
          own.map(({ point }) => point),
          size,
          unitsOf(nearest, projection),
        );
        return { ...fit, scale: Math.max(fit.scale, camera.scale * 2) };
      });
      return true;
    },
    end() {
      keepInSight();
      trucks.end();
    },
  };
}

const nothing: ShownMap = { placeless: 0, routes: [], stops: [], yard: null };

/** What a projection is made for; the camera does the rest. */
const base = { heightMax: 1000, heightMin: 1000, margin: 0, width: 1000 };

/** Metres: the least that a whole map shows, and the least that stops which lie on each other do. */
const kilometre = 1000;
const nearest = 100;

const metresPerPixel = { max: 150_000, min: 0.3 };

/** What was longer ago may be anywhere, and makes the map no wider. */
const recentMs = 24 * 3_600_000;

/** How far stops are apart whose signs do not cover each other, in pixels. */
const sign = { height: 24, width: 42 };

const unitsOf = (metres: number, { metresPerPixel }: Projection) => metres / metresPerPixel;

interface StopPoint {
  point: Point;
  stop: ShownStop;
}

const toPoints = (stops: readonly ShownStop[], projection: Projection | null): StopPoint[] =>
  projection ? stops.map((stop) => ({ point: projection.toPoint(stop.place), stop })) : [];

const toClusters = (points: readonly StopPoint[], scale: number) =>
  clusterPoints(
    points.map((one) => ({ ...one, at: { x: one.point.x * scale, y: one.point.y * scale } })),
    sign,
  );

const isWithin = ({ x, y }: Point, { height, width }: Size) => x >= 0 && y >= 0 && x <= width && y <= height;
