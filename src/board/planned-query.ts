import { toCursorText } from "../models/cursor-text.ts";
import type { Timestamp } from "../runtime/clock.ts";

/** No job is planned for later. */
export const endOfTime = "9999-12-31T23:59:59.999999";

/** The place in the order of jobs before all that are planned for a time. */
export function toPlaceBefore(schedule_date: Timestamp): string {
  return toCursorText({ id: 0, priority: -1, schedule_date });
}

/** The place in the order of jobs behind the last one that has a date. */
export const behindDates: string = toCursorText({
  id: 999_999_999_999_999,
  schedule_date: endOfTime,
});

/** Which jobs are open, as lists of jobs filter. */
export const openOnes = { completed: false, deleted: true, failed: false } as const;
