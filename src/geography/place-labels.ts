import type { Point } from "./projection.ts";

export interface Label {
  at: Point;
  height: number;
  width: number;
}

/** Places labels near their points, without overlaps; null if none is possible. Earlier labels get better places. */
export function placeLabels(
  labels: readonly Label[],
  box: { height: number; width: number },
  reach: number,
): (Point | null)[] {
  const taken = createGrid();
  const offsets = toOffsets(reach);
  return labels.map(({ at, height, width }) => {
    for (const { x, y } of offsets) {
      const spot = { left: at.x + x - width / 2, top: at.y + y - height / 2, width, height };
      const isInside =
        spot.left >= 0 && spot.top >= 0 && spot.left + width <= box.width && spot.top + height <= box.height;
      if (isInside && taken.take(spot)) return { x: at.x + x, y: at.y + y };
    }
    return null;
  });
}

interface Rectangle {
  height: number;
  left: number;
  top: number;
  width: number;
}

/** Offsets to try: the point, then rings around it. The rings are wide, because labels are. */
function toOffsets(reach: number): Point[] {
  const rings = Array.from({ length: reach }, (_, index) => index + 1);
  const around = rings.flatMap((ring) =>
    Array.from({ length: 8 * ring }, (_, index) => {
      const angle = (index / (8 * ring)) * 2 * Math.PI;
      return { x: Math.cos(angle) * ring * 24, y: Math.sin(angle) * ring * 16 };
    }),
  );
  return [{ x: 0, y: 0 }, ...around];
}

const cell = 64;

/** The used rectangles, by grid cell. */
function createGrid() {
  const cells = new Map<string, Rectangle[]>();
  const keysOf = ({ height, left, top, width }: Rectangle): string[] => {
    const keys: string[] = [];
    for (let x = Math.floor(left / cell); x * cell <= left + width; x++)
      for (let y = Math.floor(top / cell); y * cell <= top + height; y++) keys.push(`${x},${y}`);
    return keys;
  };
  return {
    /** Adds a rectangle unless it overlaps another. */
    take(spot: Rectangle): boolean {
      const keys = keysOf(spot);
      if (keys.some((key) => cells.get(key)?.some((other) => overlaps(spot, other)))) return false;
      for (const key of keys) cells.set(key, [...(cells.get(key) ?? []), spot]);
      return true;
    },
  };
}

function overlaps(a: Rectangle, b: Rectangle): boolean {
  return (
    a.left < b.left + b.width &&
    b.left < a.left + a.width &&
    a.top < b.top + b.height &&
    b.top < a.top + a.height
  );
}

export interface Town {
  at: Point;
  name: string;
}

/** The towns with the most stops. They orient a reader, because the map has no background. */
export function findTowns(stops: readonly Town[]): Town[] {
  const towns = new Map<string, Point[]>();
  for (const { at, name } of stops) {
    const points = towns.get(name);
    if (points) points.push(at);
    else towns.set(name, [at]);
  }
  const most = [...towns].sort(([, a], [, b]) => b.length - a.length).slice(0, townsMax);
  return most.map(([name, points]) => ({
    at: { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) },
    name,
  }));
}

export function toTownLabel({ at, name }: Town): Label {
  return { at: { x: at.x, y: at.y - 18 }, height: 16, width: name.length * 8.5 };
}

const townsMax = 40;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
