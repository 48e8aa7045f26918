import { describe, expect, it } from "vitest";
import { placeLabels } from "../../src/geography/place-labels.ts";
import { fitProjection, type Place } from "../../src/geography/projection.ts";

const box = { width: 1000, heightMin: 300, heightMax: 700, margin: 50 };
const at = (latitude: number, longitude: number): Place => ({ latitude, longitude });

function project(places: Place[]) {
  const projection = fitProjection(places, box);
  return { ...projection, points: places.map(projection.toPoint) };
}

describe("a projection", () => {
  it.each([
    ["a city", [at(38.9, -77.04), at(38.8, -76.9), at(39.0, -76.99)]],
    ["one place", [at(38.9, -77.04)]],
    ["one place, twice", [at(0.5, 0), at(0.5, 0)]],
    ["both sides of the date line", [at(-17, 179.9), at(-17.5, -179.9), at(-16.8, 179.5)]],
    ["the whole earth", [at(90, -180), at(-90, 179), at(0, 0)]],
    ["a pole", [at(89.9, 0), at(90, 170), at(89.8, -90)]],
  ])("places %s within its margin", (_, places) => {
    const { height, metersPerPixel, points } = project(places);
    expect(height).toBeGreaterThanOrEqual(300);
    expect(height).toBeLessThanOrEqual(700);
    expect(metersPerPixel).toBeGreaterThan(0);
    for (const { x, y } of points) {
      expect(x).toBeGreaterThanOrEqual(49.999);
      expect(x).toBeLessThanOrEqual(950.001);
      expect(y).toBeGreaterThanOrEqual(49.999);
      expect(y).toBeLessThanOrEqual(height - 49.999);
    }
  });

  it("has north at the top and east on the right, also across the date line", () => {
    const [west, east] = project([at(-17, 179.9), at(-17.5, -179.9)]).points;
    expect(west?.x).toBeLessThan(east?.x ?? 0);
    expect(west?.y).toBeLessThan(east?.y ?? 0);
  });

  it("places points outside of its box on the nearer side", () => {
    const { toPoint } = project([at(38.9, -77.04), at(38.8, -76.9)]);
    expect(toPoint(at(38.9, -77.1)).x).toBeLessThan(0);
    expect(toPoint(at(38.9, -76.5)).x).toBeGreaterThan(1000);
  });

  it("draws a mile with equal length in each direction", () => {
    // At 60 degrees north, two degrees of longitude are as long as one of latitude.
    const [a, b, c] = project([at(60, 10), at(60, 10.2), at(60.1, 10)]).points;
    expect(((b?.x ?? 0) - (a?.x ?? 0)) / ((a?.y ?? 0) - (c?.y ?? 0))).toBeCloseTo(1, 2);
  });

  it("returns the length of a pixel", () => {
    const { metersPerPixel, points } = project([at(0, 0), at(1, 0)]);
    const [south, north] = points;
    expect(metersPerPixel * ((south?.y ?? 0) - (north?.y ?? 0))).toBeCloseTo(111_195, 0);
  });
});

describe("labels", () => {
  it("of 2,000 stops at one point overlap neither each other nor the edge", () => {
    const labels = Array.from({ length: 2000 }, () => ({ at: { x: 60, y: 60 }, width: 22, height: 15 }));
    const spots = placeLabels(labels, { width: 1000, height: 400 }, 5).filter((spot) => spot !== null);
    expect(spots.length).toBeGreaterThan(20);
    for (const [index, a] of spots.entries()) {
      expect(a.x - 11).toBeGreaterThanOrEqual(0);
      expect(a.y - 7.5).toBeGreaterThanOrEqual(0);
      const covered = spots
        .slice(index + 1)
        .filter((b) => Math.abs(a.x - b.x) < 22 && Math.abs(a.y - b.y) < 15);
      expect(covered).toEqual([]);
    }
  });
});
