import { expect, it } from "vitest";
import type { BoardJob, BoardLocation, BoardTruck } from "../../src/board/board.ts";
import { planDay } from "../../src/board/plan-day.ts";

it("plans 500 jobs of one truck in less than 5 seconds", () => {
  const toJob = (id: number) => ({
    address: { latitude: 38 + ((id * 37) % 100) / 100, longitude: -77 + ((id * 61) % 100) / 100 },
    id,
    priority: null,
    schedule_date: "2026-11-28T00:00:00.000000",
    state: "unassigned",
  });
  const truck = { driver: "Dana", driver_off: null, id: 1, jobs: [], off: null, out_of_service: false };
  const location = {
    latitude: 38,
    longitude: -77,
    trucks: [truck as unknown as BoardTruck],
  };
  const waiting = Array.from({ length: 500 }, (_, index) => toJob(index + 1) as unknown as BoardJob);
  const startedAt = performance.now();
  const { trucks } = planDay(location as unknown as BoardLocation, waiting, []);
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(trucks[0]?.added.size).toBe(500);
});
