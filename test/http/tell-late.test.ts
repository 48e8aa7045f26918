import { expect, it } from "vitest";
import type { Readiness } from "../../src/http/readiness.ts";
import { tellLate } from "../../src/http/serve-store.ts";

it("the log reports a hanging or unreadable store once, and its recovery once", async () => {
  const late: Readiness = { isReady: false, check: "time", reason: "The store does not answer in time." };
  const full: Readiness = { isReady: false, check: "write", reason: "The disk is full." };
  const ready: Readiness = { isReady: true, oldestPendingDelivery: null };
  const away: Readiness = { isReady: false, check: "read", reason: "No database answers there." };
  const asked = [ready, late, late, ready, ready, full, late, full, ready, away, away, late, ready];
  const found = [...asked];
  const lines: string[] = [];
  const log = {
    error: (facts: unknown, words?: string) => void lines.push(`error ${words} ${JSON.stringify(facts)}`),
    warn: (facts: unknown) => void lines.push(`warn ${facts}`),
  };
  const readiness = tellLate(async () => found.shift() ?? ready, log);
  const passedOn: Readiness[] = [];
  while (found.length > 0) passedOn.push(await readiness());
  expect(passedOn).toEqual(asked);
  expect(lines).toEqual([
    'error the store does not answer in time {"check":"time"}',
    "warn the store answers again",
    'error the store does not answer in time {"check":"time"}',
    "warn the store answers again",
    'error the store cannot be relied on {"check":"read","reason":"No database answers there."}',
    'error the store does not answer in time {"check":"time"}',
    "warn the store answers again",
  ]);
});
