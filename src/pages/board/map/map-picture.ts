import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { fitProjection, type Place, type Point, type Projection } from "../../../geography/projection.ts";

export interface Picture {
  camera: Camera;
  projection: Projection;
  size: Size;
  toPoint(place: Place): Point;
}

export interface MovedPicture {
  /** null until the element has a size and there are places. */
  picture: ReadonlySignal<Picture | null>;
  size: Signal<Size>;
  pan(x: number, y: number): void;
  zoom(factor: number, at?: Point): void;
  showAll(): void;
  goTo(place: Place): void;
  goNear(places: readonly Place[]): void;
}

/** Shows all places until the user moves the picture. */
export function openPicture(places: ReadonlySignal<readonly Place[]>): MovedPicture {
  const size = signal<Size>({ height: 0, width: 0 });
  const held = signal<Pick<Picture, "camera" | "projection"> | null>(null);
  const fitted = computed(() => {
    const projection = fitProjection(places.value, base);
    const points = places.value.map(projection.toPoint);
    return { camera: fitCamera(points, size.value, kilometer / projection.metersPerPixel), projection };
  });
  const picture = computed((): Picture | null => {
    const room = size.value;
    if (room.width === 0 || places.value.length === 0) return null;
    const { camera, projection } = held.value ?? fitted.value;
    const toPoint = (place: Place) => toScreen(camera, room, projection.toPoint(place));
    return { camera, projection, size: room, toPoint };
  });
  const hold = (change: (picture: Picture) => Camera) => {
    const now = picture.peek();
    if (now) held.value = { camera: change(now), projection: now.projection };
  };
  return {
    picture,
    size,
    pan: (x, y) => hold(({ camera }) => panBy(camera, x, y)),
    zoom: (factor, at) =>
      hold(({ camera, projection, size }) =>
        zoomBy(camera, factor, { ...(at && { at }), scales: scalesOf(projection), size }),
      ),
    showAll() {
      held.value = null;
    },
    goTo(place) {
      const now = picture.peek();
      if (now && !isWithin(now.toPoint(place), now.size))
        hold(({ camera, projection }) => ({ ...camera, ...projection.toPoint(place) }));
    },
    goNear: (near) =>
      hold(({ camera, projection, size }) => {
        const fit = fitCamera(near.map(projection.toPoint), size, nearest / projection.metersPerPixel);
        return { ...fit, scale: Math.max(fit.scale, camera.scale * 2) };
      }),
  };
}

/** A fixed size: the camera scales it. */
const base = { heightMax: 1000, heightMin: 1000, margin: 0, width: 1000 };

/** In meters: the smallest extent of the whole map, and of `goNear`. */
const kilometer = 1000;
const nearest = 100;

/** From 0.3 meters per pixel to the whole earth. */
export function scalesOf({ metersPerPixel }: Projection): { max: number; min: number } {
  return { max: metersPerPixel / 0.3, min: metersPerPixel / 150_000 };
}

export function isWithin({ x, y }: Point, { height, width }: Size): boolean {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

/** The projected point at the center, and pixels per unit. */
interface Camera extends Point {
  scale: number;
}

export interface Size {
  height: number;
  width: number;
}

export function toScreen({ scale, x, y }: Camera, { height, width }: Size, point: Point): Point {
  return { x: (point.x - x) * scale + width / 2, y: (point.y - y) * scale + height / 2 };
}

function fitCamera(points: readonly Point[], { height, width }: Size, spanMin: number): Camera {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [west, east, north, south] = [least(xs), most(xs), least(ys), most(ys)];
  const room = { x: Math.max(1, width - 2 * margin.x), y: Math.max(1, height - 2 * margin.y) };
  return {
    scale: Math.min(room.x / Math.max(spanMin, east - west), room.y / Math.max(spanMin, south - north)),
    x: (west + east) / 2,
    y: (north + south) / 2,
  };
}

/** Keeps the signs of the outermost points inside. */
const margin = { x: 34, y: 30 };

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), values[0] ?? 0);

function panBy(camera: Camera, x: number, y: number): Camera {
  return { ...camera, x: camera.x - x / camera.scale, y: camera.y - y / camera.scale };
}

function zoomBy(
  camera: Camera,
  factor: number,
  { at, scales, size }: { at?: Point; scales: { max: number; min: number }; size: Size },
): Camera {
  const scale = Math.min(scales.max, Math.max(scales.min, camera.scale * factor));
  const off = {
    x: (at?.x ?? size.width / 2) - size.width / 2,
    y: (at?.y ?? size.height / 2) - size.height / 2,
  };
  const shift = 1 / camera.scale - 1 / scale;
  return { scale, x: camera.x + off.x * shift, y: camera.y + off.y * shift };
}
