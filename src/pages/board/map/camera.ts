import type { Point } from "../../../geography/projection.ts";

/** What a map shows of the points of its projection: the one in its middle, and how many pixels the others are away. */
export interface Camera extends Point {
  scale: number;
}

export interface Size {
  height: number;
  width: number;
}

/** Where a point is on the screen. */
export function toScreen({ scale, x, y }: Camera, { height, width }: Size, point: Point): Point {
  return { x: (point.x - x) * scale + width / 2, y: (point.y - y) * scale + height / 2 };
}

/** Shows all of some points, at least so much around them. */
export function fitCamera(points: readonly Point[], { height, width }: Size, spanMin: number): Camera {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [west, east, north, south] = [least(xs), most(xs), least(ys), most(ys)];
  const room = { x: Math.max(1, width - 2 * margin.x), y: Math.max(1, height - 2 * margin.y) };
  return {
    scale: Math.min(room.x / Math.max(spanMin, east - west), room.y / Math.max(spanMin, south - north)),
    x: (west + east) / 2,
    y: (north + south) / 2,
  };
}

/** Signs stand in the middle of their points. */
const margin = { x: 34, y: 30 };

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), values[0] ?? 0);

/** Moves the picture by pixels. */
export function panBy(camera: Camera, x: number, y: number): Camera {
  return { ...camera, x: camera.x - x / camera.scale, y: camera.y - y / camera.scale };
}

/** Makes the picture larger or smaller round a place on the screen, within the scales there are. */
export function zoomBy(
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
