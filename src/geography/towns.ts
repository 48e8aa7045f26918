import type { Label } from "./place-labels.ts";
import type { Point } from "./projection.ts";

/** A town on a map, in the middle of its stops. */
export interface Town {
  at: Point;
  name: string;
}

/** The towns that most stops are in: a map without land needs names to be read by. */
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

/** The label of a town, a little above its stops. */
export function toTownLabel({ at, name }: Town): Label {
  return { at: { x: at.x, y: at.y - 18 }, height: 16, width: name.length * 8.5 };
}

const townsMax = 40;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
