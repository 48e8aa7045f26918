import { expect, it } from "vitest";
import { toTimestamp } from "../../src/runtime/clock.ts";
import { BackupSchedule } from "../../src/store/backups/backup-schedule.ts";

const hour = 3_600_000;
const minute = 60_000;

/** Starts an hourly schedule with the two clocks that it reads. */
function start() {
  const at = { wall: Date.UTC(2026, 10, 22, 12), steady: 5000 };
  const schedule = new BackupSchedule(hour, { wallMs: () => at.wall, steadyMs: () => at.steady });
  const pass = (ms: number) => {
    at.wall += ms;
    at.steady += ms;
  };
  return { at, pass, schedule, now: () => toTimestamp(at.wall) };
}

it("makes the first backup at once, and each further one an interval after the start of the previous", () => {
  const { now, pass, schedule } = start();
  expect(schedule.dueInMs(null)).toBe(0);
  const newest = now();
  pass(10 * minute);
  expect(schedule.dueInMs(newest)).toBe(50 * minute);
  pass(50 * minute);
  expect(schedule.dueInMs(newest)).toBe(0);
});

it("counts an existing backup after a restart", () => {
  const { at, schedule } = start();
  expect(schedule.dueInMs(toTimestamp(at.wall - 45 * minute))).toBe(15 * minute);
  expect(schedule.dueInMs(toTimestamp(at.wall - 3 * hour))).toBe(0);
});

it("makes one backup at once after the machine slept through several", () => {
  const { at, now, schedule } = start();
  const newest = now();
  expect(schedule.dueInMs(newest)).toBe(hour);
  // Only the wall clock moves; the monotonic clock stands still.
  at.wall += 8 * hour;
  expect(schedule.dueInMs(newest)).toBe(0);
  expect(schedule.dueInMs(now())).toBe(hour);
});

it("is not delayed by a clock that was set back, even by years", () => {
  const { at, now, pass, schedule } = start();
  const newest = now();
  schedule.dueInMs(newest);
  at.wall -= 1000 * 24 * hour;
  expect(schedule.dueInMs(newest)).toBe(hour);
  pass(hour);
  expect(schedule.dueInMs(newest)).toBe(0);
});

it("retries after a minute, then doubles the pause up to the interval", () => {
  const { pass, schedule } = start();
  const waits = Array.from({ length: 8 }, () => {
    schedule.noteFailure();
    const wait = schedule.dueInMs(null);
    pass(wait);
    return wait / minute;
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  schedule.noteSuccess();
  expect(schedule.dueInMs(null)).toBe(0);
});
