import type { Point } from "./projection.ts";

/** Overlapping things, at the point of the first. */
export interface Cluster<T> {
  at: Point;
  members: [T, ...T[]];
}

/** Joins a thing to a cluster whose sign it would overlap. */
export function clusterPoints<T extends { at: Point }>(
  things: readonly T[],
  sign: { height: number; width: number },
): Cluster<T>[] {
  const clusters: Cluster<T>[] = [];
  const cells = new Map<string, Cluster<T>[]>();
  for (const thing of things) {
    const { x, y } = thing.at;
    const [column, row] = [Math.floor(x / sign.width), Math.floor(y / sign.height)];
    const near = around.flatMap(([right, down]) => cells.get(`${column + right},${row + down}`) ?? []);
    const own = near.find(({ at }) => Math.abs(at.x - x) < sign.width && Math.abs(at.y - y) < sign.height);
    if (own) {
      own.members.push(thing);
      continue;
    }
    const cluster: Cluster<T> = { at: thing.at, members: [thing] };
    clusters.push(cluster);
    const key = `${column},${row}`;
    cells.set(key, [...(cells.get(key) ?? []), cluster]);
  }
  return clusters;
}

const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const));
