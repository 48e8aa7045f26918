import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The wait after each failed attempt. The attempt after the last wait is the last one. */
export const retryWaitsMs: readonly number[] = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
];

export const answerMsMax = 15 * seconds;

/** A webhook is deactivated if all deliveries fail for this long, and at least this many events. */
export const failingMsMax = 5 * 24 * hours;
export const failedMessagesMin = 10;

/** The random part of each wait, in both directions. */
export const jitter = 0.2;

/** The shortest wait after an answer of a busy receiver. */
export const busyWaitMs = 60 * seconds;
export const busyStatuses: readonly number[] = [429, 502, 503, 504];

export const retryAfterMsMax = 24 * hours;

export const retryMsMax = 24 * hours * (1 + jitter);

export interface FailedAttempt {
  /** From 1. */
  attempt: number;
  /** −1 without an answer. */
  status: number;
  retryAfter: string | null;
  /** The machine's time, for a date in that header. */
  machineTime: Timestamp;
}

/** `disable`: the receiver refuses further deliveries. */
export type NextStep = { kind: "retry"; at: Timestamp } | { kind: "give-up" } | { kind: "disable" };

/**
 * Plans the next attempt: the next wait of the ladder, ±20 %, at least Retry-After (24 h at most), and 60 s for a busy
 * receiver. 410 disables. `random` returns numbers from 0 to 1.
 */
export function planRetry(
  { attempt, status, retryAfter, machineTime }: FailedAttempt,
  now: Timestamp,
  random: () => number,
): NextStep {
  if (status === 410) return { kind: "disable" };
  const waitMs = retryWaitsMs[attempt - 1];
  if (waitMs === undefined) return { kind: "give-up" };
  const nowMs = toEpochMs(now);
  const spreadMs = waitMs * (1 - jitter + 2 * jitter * random());
  const leastMs = Math.max(
    busyStatuses.includes(status) ? busyWaitMs : 0,
    Math.min(parseRetryAfter(retryAfter, toEpochMs(machineTime)), retryAfterMsMax),
  );
  return { kind: "retry", at: toTimestamp(nowMs + Math.round(Math.max(spreadMs, leastMs))) };
}

/** Milliseconds of a Retry-After header: seconds or an HTTP date (RFC 9110, 10.2.3); 0 for anything else. */
function parseRetryAfter(header: string | null, nowMs: number): number {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * seconds;
  // Date.parse accepts nearly any text, but every HTTP date starts with a weekday.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return 0;
  // asctime, the third form, names no zone and means UTC like the others.
  const moment = Date.parse(/GMT$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(moment) ? 0 : Math.max(0, moment - nowMs);
}
