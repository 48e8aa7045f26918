import type { StoredBounds } from "../local-time/span.ts";
import { fromWholeDay } from "../local-time/whole-day.ts";
import { toCursorText } from "../models/cursor-text.ts";
import type { Timestamp } from "../runtime/clock.ts";

type Bounds = StoredBounds["outer"];

/** The filters that the interface has for bounds of planned times. Jobs without a date have none of them. */
export function toPlannedFilters({ first, last }: Bounds, now: Timestamp): Record<string, string> {
  // The same text all day, so that who asks again asks the same.
  const today = fromWholeDay(now.slice(0, 10));
  const from = first === null || first < today ? first : today;
  return { ...(from !== null && { schedule_gte: from }), schedule_lte: last ?? endOfTime };
}

/** The place in the order of jobs before all that are planned for a time. */
export function toPlaceBefore(schedule_date: Timestamp): string {
  return toCursorText({ id: 0, priority: -1, schedule_date });
}

/** The place in the order of jobs behind the last one that has a date. */
export const behindDates: string = toCursorText({
  id: 999_999_999_999_999,
  schedule_date: "9999-12-31T23:59:59.999999",
});

/** Which jobs are open, as lists of jobs filter. */
export const openOnes = { completed: false, deleted: true, failed: false } as const;

const endOfTime = "9999-12-31T23:59:59.999999";
