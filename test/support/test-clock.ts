import { type Clock, type Timestamp, toEpochMs, toTimestamp } from "../../src/runtime/clock.ts";

/** The time in every new harness: a Saturday at noon. */
export const testStart: Timestamp = "2026-11-21T12:00:00.000000";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  set(moment: Timestamp): void;
  advance(ms: number): void;
}

export function createTestClock(): TestClock {
  let moment = testStart;
  return {
    now: () => moment,
    set: (next) => {
      moment = next;
    },
    advance: (ms) => {
      moment = toTimestamp(toEpochMs(moment) + ms);
    },
  };
}
