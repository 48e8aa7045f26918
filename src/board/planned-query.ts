import { toCursorText } from "../models/cursor-text.ts";
import type { Timestamp } from "../runtime/clock.ts";

export const endOfTime = "9999-12-31T23:59:59.999999";

/** The cursor before all jobs of a time. */
export function toPlaceBefore(schedule_date: Timestamp): string {
  return toCursorText({ id: 0, priority: -1, schedule_date });
}

/** The cursor after the last job with a date. */
export const behindDates: string = toCursorText({
  id: 999_999_999_999_999,
  schedule_date: endOfTime,
});

export const openOnes = { completed: false, deleted: true, failed: false } as const;
