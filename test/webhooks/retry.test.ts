import { describe, expect, it } from "vitest";
import { toEpochMs } from "../../src/runtime/clock.ts";
import { type FailedAttempt, planRetry, retryWaitsMs } from "../../src/webhooks/retry.ts";
import { testStart } from "../support/test-clock.ts";

const inTheMiddle = () => 0.5;

function plan(failed: Partial<FailedAttempt>, random = inTheMiddle) {
  return planRetry(
    { attempt: 1, status: 500, retryAfter: null, machineTime: testStart, ...failed },
    testStart,
    random,
  );
}

/** Returns the seconds until the next attempt, or null without one. */
function waitOf(failed: Partial<FailedAttempt>, random = inTheMiddle): number | null {
  const step = plan(failed, random);
  return step.kind === "retry" ? (toEpochMs(step.at) - toEpochMs(testStart)) / 1000 : null;
}

describe("the retry schedule", () => {
  it.each([
    [1, 5],
    [2, 5 * 60],
    [3, 30 * 60],
    [4, 2 * 3600],
    [5, 5 * 3600],
    [6, 10 * 3600],
    [7, 14 * 3600],
    [8, 20 * 3600],
    [9, 24 * 3600],
    [10, null],
  ])("after attempt %i waits %s s", (attempt, wait) => {
    expect(waitOf({ attempt })).toBe(wait);
    expect(waitOf({ attempt, status: -1 })).toBe(wait);
  });

  it("has ten attempts within 75 h 35 min 5 s", () => {
    expect(retryWaitsMs).toHaveLength(9);
    expect(retryWaitsMs.reduce((sum, wait) => sum + wait, 0) / 1000).toBe(75 * 3600 + 35 * 60 + 5);
    expect(plan({ attempt: 10 })).toEqual({ kind: "give-up" });
  });

  it("spreads each wait by 20 % to either side", () => {
    expect(waitOf({ attempt: 2 }, () => 0)).toBe(240);
    expect(waitOf({ attempt: 2 }, () => 1)).toBe(360);
  });
});

describe("a receiver that is busy", () => {
  it.each([429, 502, 503, 504])("with %i gets no attempt for at least 60 s", (status) => {
    expect(waitOf({ status })).toBe(60);
    expect(waitOf({ attempt: 2, status })).toBe(300);
  });

  it.each([400, 408, 500, 501, 301])("is not a receiver that answers %i", (status) => {
    expect(waitOf({ status })).toBe(5);
  });
});

describe("Retry-After", () => {
  it("compares a date with the time of the machine, also for a sandbox store", () => {
    const machineTime = "2026-11-21T12:09:20.000000";
    expect(waitOf({ retryAfter: "Sat, 21 Nov 2026 12:10:00 GMT", machineTime })).toBe(40);
  });

  it.each([
    ["seconds", "120", 120],
    ["white space around them", " 120 ", 120],
    ["an HTTP date", "Sat, 21 Nov 2026 12:10:00 GMT", 600],
    ["its RFC 850 form", "Saturday, 21-Nov-26 12:10:00 GMT", 600],
    ["its asctime form", "Sat Nov 21 12:10:00 2026", 600],
    ["more than a day, which counts as a day", "1000000", 86_400],
    ["a date in the past", "Sat, 21 Nov 2020 12:10:00 GMT", 5],
    ["less than the scheduled wait", "1", 5],
    ["nothing", "", 5],
    ["a fraction", "120.5", 5],
    ["a negative number", "-120", 5],
    ["some other date", "2026-11-21T12:10:00Z", 5],
    ["words", "soon", 5],
  ])("is read as %s", (_, retryAfter, wait) => {
    expect(waitOf({ retryAfter })).toBe(wait);
  });

  it("does not shorten the wait for a busy receiver, and adds no eleventh attempt", () => {
    expect(waitOf({ status: 429, retryAfter: "7" })).toBe(60);
    expect(plan({ attempt: 10, retryAfter: "7" })).toEqual({ kind: "give-up" });
  });
});

describe("410", () => {
  it.each([1, 5, 10])("disables the webhook at attempt %i", (attempt) => {
    expect(plan({ attempt, status: 410, retryAfter: "60" })).toEqual({ kind: "disable" });
  });
});
