import { describe, expect, it } from "vitest";
import { distanceBetween } from "../../src/geography/distance.ts";
import { lengthOf, proposeOrder, type Visit } from "../../src/geography/propose-order.ts";

const home = { latitude: 0, longitude: 0 };

const aVisit = (latitude: number, longitude: number, group = "day"): Visit => ({
  group,
  place: { latitude, longitude },
});

/** Creates visits at pseudo-random places, the same ones for each seed. */
function scatter(count: number, seed: number, groups = 1): Visit[] {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return Array.from({ length: count }, (_, index) =>
    aVisit(next(), next(), String(Math.floor((index * groups) / count))),
  );
}

const lengthOfOrder = (visits: readonly Visit[], from: typeof home | null = home) =>
  lengthOf(
    visits.map(({ place }) => place),
    from,
  );

/** Returns the length of the shortest order, by trying all of them. */
function findShortest(visits: readonly Visit[]): number {
  const permute = (left: readonly Visit[]): Visit[][] =>
    left.length < 2
      ? [[...left]]
      : left.flatMap((visit) =>
          permute(left.filter((other) => other !== visit)).map((rest) => [visit, ...rest]),
        );
  return Math.min(...permute(visits).map((order) => lengthOfOrder(order)));
}

describe("distances", () => {
  it.each([
    [
      "Washington",
      "New York",
      { latitude: 38.8951, longitude: -77.0364 },
      { latitude: 40.7128, longitude: -74.006 },
      328,
    ],
    ["both sides of the date line", "each other", aVisit(-17, 179.9).place, aVisit(-17, -179.9).place, 21.3],
    ["a pole", "the other", aVisit(90, 0).place, aVisit(-90, 77).place, 20_015],
  ])("between %s and %s are accurate to half a percent", (_, __, one, other, kilometers) => {
    expect(Math.abs(distanceBetween(one, other) / 1000 / kilometers - 1)).toBeLessThan(0.005);
  });

  it("are 0 from a place to itself", () => {
    expect(distanceBetween(home, home)).toBe(0);
  });
});

describe("a proposed order", () => {
  it("has the same visits as the current order, and is never longer", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const visits = scatter(1 + (seed % 25), seed, 1 + (seed % 3));
      const proposed = proposeOrder(visits, seed % 2 ? home : null);
      expect(new Set(proposed)).toEqual(new Set(visits));
      expect(proposed).toHaveLength(visits.length);
      const from = seed % 2 ? home : null;
      expect(lengthOfOrder(proposed, from)).toBeLessThanOrEqual(lengthOfOrder(visits, from) + 1);
    }
  });

  it("starts at the truck and ends at home, and is never longer either", () => {
    const start = { latitude: 1, longitude: 1 };
    const toLength = (visits: readonly Visit[]) =>
      lengthOf(
        visits.map(({ place }) => place),
        home,
        start,
      );
    for (let seed = 1; seed <= 30; seed++) {
      const visits = scatter(2 + (seed % 20), seed * 31);
      const proposed = proposeOrder(visits, home, start);
      expect(new Set(proposed)).toEqual(new Set(visits));
      expect(toLength(proposed)).toBeLessThanOrEqual(toLength(visits) + 1);
    }
    const along = [3, 1, 4, 2].map((tenth) => aVisit(tenth / 10, tenth / 10));
    const order = proposeOrder(along, home, start).map(({ place }) => Math.round(place.latitude * 10));
    expect(order).toEqual([4, 3, 2, 1]);
  });

  it("is optimal or nearly optimal for seven visits", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const visits = scatter(7, seed * 97);
      expect(lengthOfOrder(proposeOrder(visits, home))).toBeLessThan(1.1 * findShortest(visits));
    }
  });

  it("follows a circle in order, whatever the current order is", () => {
    const circle = Array.from({ length: 20 }, (_, index) => {
      const angle = (index / 20) * 2 * Math.PI;
      return aVisit(Math.sin(angle), Math.cos(angle));
    });
    const mixed = circle.map((_, index) => circle[(index * 7) % 20] ?? aVisit(0, 0));
    const around = proposeOrder(mixed, aVisit(0, 1.01).place).map((visit) => circle.indexOf(visit));
    expect([around, around.toReversed()]).toContainEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("keeps the groups in their order", () => {
    const proposed = proposeOrder(scatter(30, 5, 4), home).map(({ group }) => group);
    expect(proposed).toEqual(proposed.toSorted());
  });

  it("is the current order for equal places and for an empty list", () => {
    const same = Array.from({ length: 5 }, () => aVisit(1, 1));
    expect(proposeOrder(same, home).every((visit, index) => visit === same[index])).toBe(true);
    expect(proposeOrder([], home)).toEqual([]);
  });

  it("is also found for 300 visits", () => {
    const visits = scatter(300, 3);
    expect(lengthOfOrder(proposeOrder(visits, home))).toBeLessThan(0.25 * lengthOfOrder(visits));
  });
});
