import { expect, it } from "vitest";
import { clusterPoints } from "../../src/geography/cluster-points.ts";

it("groups points that would overlap, and no others", () => {
  const things = Array.from({ length: 2000 }, (_, index) => ({
    at: { x: ((index * 7919) % 4001) - 2000, y: ((index * 104_729) % 1201) - 600 },
    index,
  }));
  const clusters = clusterPoints(things, { height: 22, width: 40 });
  const members = clusters.flatMap((cluster) => cluster.members);
  expect(members.map(({ index }) => index).sort((a, b) => a - b)).toEqual(things.map(({ index }) => index));
  for (const [index, { at, members }] of clusters.entries()) {
    expect(at).toBe(members[0].at);
    const covers = (other: { x: number; y: number }) =>
      Math.abs(other.x - at.x) < 40 && Math.abs(other.y - at.y) < 22;
    expect(members.filter((member) => !covers(member.at))).toEqual([]);
    expect(clusters.slice(index + 1).filter((other) => covers(other.at))).toEqual([]);
  }
});
