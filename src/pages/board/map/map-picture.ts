import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { fitProjection, type Place, type Point, type Projection } from "../../../geography/projection.ts";
import { type Camera, fitCamera, panBy, type Size, toScreen, zoomBy } from "./camera.ts";

/** A part of the earth as it is on the screen. */
export interface Picture {
  camera: Camera;
  projection: Projection;
  size: Size;
  toPoint(place: Place): Point;
}

/** A picture that is moved and zoomed. */
export interface MovedPicture {
  /** null until there is something to show, and room for it. */
  picture: ReadonlySignal<Picture | null>;
  size: Signal<Size>;
  pan(x: number, y: number): void;
  zoom(factor: number, at?: Point): void;
  /** All places, also those that come later. */
  showAll(): void;
  /** Has a place in the middle, unless it is in sight. */
  goTo(place: Place): void;
  /** Goes nearer to some places, until they fill the picture. */
  goNear(places: readonly Place[]): void;
}

/** Shows all of some places, until somebody moves the picture. */
export function openPicture(places: ReadonlySignal<readonly Place[]>): MovedPicture {
  const size = signal<Size>({ height: 0, width: 0 });
  const held = signal<Pick<Picture, "camera" | "projection"> | null>(null);
  const fitted = computed(() => {
    const projection = fitProjection(places.value, base);
    const points = places.value.map(projection.toPoint);
    return { camera: fitCamera(points, size.value, kilometre / projection.metresPerPixel), projection };
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
        const fit = fitCamera(near.map(projection.toPoint), size, nearest / projection.metresPerPixel);
        return { ...fit, scale: Math.max(fit.scale, camera.scale * 2) };
      }),
  };
}

/** What a projection is made for; the camera does the rest. */
const base = { heightMax: 1000, heightMin: 1000, margin: 0, width: 1000 };

/** Metres: the least that a whole map shows, and the least that places which are gone near to do. */
const kilometre = 1000;
const nearest = 100;

/** The scales between which a picture is zoomed: from a third of a metre to the whole earth. */
export function scalesOf({ metresPerPixel }: Projection): { max: number; min: number } {
  return { max: metresPerPixel / 0.3, min: metresPerPixel / 150_000 };
}

/** Whether a point of the screen is in sight. */
export function isWithin({ x, y }: Point, { height, width }: Size): boolean {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}
