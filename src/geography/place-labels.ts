import type { Point } from "./projection.ts";

/** A label that wants to stand at a point. */
export interface Label {
  at: Point;
  height: number;
  width: number;
}

/**
 * Finds each label a place at its point or near it, where it covers no other and leaves the box nowhere; null for one
 * that has no room within reach, so many rings around its point. Earlier labels have the better places.
 */
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

/** The point itself, then ever wider rings around it, wider than high as labels are. */
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

/** The rectangles taken so far, by the cells of a grid that they touch. */
function createGrid() {
  const cells = new Map<string, Rectangle[]>();
  const keysOf = ({ height, left, top, width }: Rectangle): string[] => {
    const keys: string[] = [];
    for (let x = Math.floor(left / cell); x * cell <= left + width; x++)
      for (let y = Math.floor(top / cell); y * cell <= top + height; y++) keys.push(`${x},${y}`);
    return keys;
  };
  return {
    /** Takes a rectangle unless it overlaps one that is taken. */
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
