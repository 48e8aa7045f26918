/**
 * A moment as it is stored and answered: `YYYY-MM-DDTHH:MM:SS.ffffff`, UTC, no zone.
 * Fixed width, so that comparing two as text compares the moments.
 */
export type Timestamp = string;

/** Where the program learns the time; tests and sandbox stores bring their own. */
export interface Clock {
  now(): Timestamp;
}

/** The machine's clock. The only place that reads it. */
export const systemClock: Clock = {
  now: () => {
    const epochMs = Date.now();
    // Within a millisecond a busy process asks several times; to write the text takes ten times as long as to keep it.
    if (epochMs !== last.epochMs) last = { epochMs, text: toTimestamp(epochMs) };
    return last.text;
  },
};

/** By how many milliseconds the clock of a sandbox is ahead: a header of its server's answers, where it was moved. */
export const clockOffsetHeader = "x-sandbox-clock-offset";

/** A clock that shows so much more than another, or less. */
export function aheadOf(clock: Clock, byMs: number): Clock {
  return byMs === 0 ? clock : { now: () => toTimestamp(toEpochMs(clock.now()) + byMs) };
}

let last = { epochMs: Number.NaN, text: "" };

/** Writes milliseconds since 1970 as a timestamp; the last three digits are zeros. */
export function toTimestamp(epochMs: number): Timestamp {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000`;
}

/** Milliseconds since 1970 of a timestamp; its microseconds are dropped. */
export function toEpochMs(timestamp: Timestamp): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`);
}

/** The moment after a timestamp, a microsecond later. */
export function toNextMoment(timestamp: Timestamp): Timestamp {
  const micros = Number(timestamp.slice(23)) + 1;
  if (micros === 1000) return toTimestamp(toEpochMs(timestamp) + 1);
  return timestamp.slice(0, 23) + String(micros).padStart(3, "0");
}
