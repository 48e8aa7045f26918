import { failure } from "../../errors/errors.ts";
import { parseTimestamp } from "../../models/timestamps.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../../runtime/clock.ts";

/** A day in UTC, like all dates of the interface: its date, its first moment and that of the next day. */
export interface Day {
  /** `YYYY-MM-DD`. */
  date: string;
  start: Timestamp;
  /** The first moment of the next day. */
  end: Timestamp;
}

/** What a day's argument takes, for the help. */
export const dayForms =
  "today (the default), tomorrow, yesterday, +1 and the like, or a date like 2026-12-01";

/** Reads a day as people write it. Throws a usage error for anything else. */
export function parseDay(text: string | undefined, now: Timestamp): Day {
  const ahead = toDaysAhead(text ?? "today");
  if (ahead !== null) return toDay(toEpochMs(now) + ahead * dayMs);
  const moment = text !== undefined && /^[\dW-]+$/.test(text) ? parseTimestamp(text) : null;
  if (moment) return toDay(toEpochMs(moment));
  throw failure("usage", `"${text}" is no day; a day is ${dayForms}.`);
}

const dayMs = 86_400_000;

const words: Readonly<Record<string, number>> = { today: 0, tomorrow: 1, yesterday: -1 };

function toDaysAhead(text: string): number | null {
  if (Object.hasOwn(words, text)) return words[text] ?? null;
  return /^[+-]\d{1,4}$/.test(text) ? Number(text) : null;
}

function toDay(ms: number): Day {
  const start = Math.floor(ms / dayMs) * dayMs;
  const from = toTimestamp(start);
  return { date: from.slice(0, 10), start: from, end: toTimestamp(start + dayMs) };
}
