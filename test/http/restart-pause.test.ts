import { expect, it } from "vitest";
import { createRestartPause } from "../../src/http/worker-pool.ts";

it("a process that never becomes ready restarts after pauses that double from 0.1 s to 30 s", () => {
  const pause = createRestartPause(() => 0);
  const pauses = Array.from({ length: 11 }, () => pause(0, false));
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
});

it("the pauses start over after a minute of service", () => {
  const pause = createRestartPause(() => 0);
  expect([0, 0, 0, 60_000, 0].map((servedMs) => pause(servedMs, false))).toEqual([100, 200, 400, 100, 200]);
});

it("a process that was ready restarts after at most a quarter of its running time, however often it ended", () => {
  const pause = createRestartPause(() => 0);
  const pauses = Array.from({ length: 8 }, () => pause(4000, false));
  expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000, 1000, 1000]);
  expect(pause(50, false)).toBe(100);
});

it("up to half of a pause is randomly cut", () => {
  const pause = createRestartPause(() => 0.999);
  expect(pause(0, false)).toBeCloseTo(50, 0);
});

it("while no process is left, the next starts within two seconds, however often they ended", () => {
  const pause = createRestartPause(() => 0);
  const pauses = Array.from({ length: 10 }, (_, index) => pause(0, index >= 3));
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000, 2000]);
  expect(pause(0, false)).toBe(30_000);
});
