import { expect, it } from "vitest";
import type { Readiness } from "../../src/http/readiness.ts";
import { tellLate } from "../../src/http/tell-late.ts";

it("the log says once that a store does not answer in time, and once that it answers again", async () => {
  const late: Readiness = { isReady: false, check: "time", reason: "The store does not answer in time." };
  const full: Readiness = { isReady: false, check: "write", reason: "The disk is full." };
  const ready: Readiness = { isReady: true, oldestPendingDelivery: null };
  const found = [ready, late, late, ready, ready, full, late, full];
  const lines: string[] = [];
  const log = {
    error: (_facts: unknown, words?: string) => void lines.push(`error ${words}`),
    warn: (facts: unknown) => void lines.push(`warn ${facts}`),
  };
  const readiness = tellLate(async () => found.shift() ?? ready, log);
  const passedOn: Readiness[] = [];
  while (found.length > 0) passedOn.push(await readiness());
  expect(passedOn).toEqual([ready, late, late, ready, ready, full, late, full]);
  expect(lines).toEqual([
    "error the store does not answer in time",
    "warn the store answers again",
    "error the store does not answer in time",
    "warn the store answers again",
  ]);
});
