import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The delay after each failed attempt. The attempt after the last delay is the last. */
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

/** A webhook is deactivated after all deliveries failed for this long, at least this many. */
export const failingMsMax = 5 * 24 * hours;
export const failedMessagesMin = 10;

/** The random part of each delay, in both directions. */
export const jitter = 0.2;

/** The shortest delay after a response of a busy receiver. */
export const busyWaitMs = 60 * seconds;
export const busyStatuses: readonly number[] = [429, 502, 503, 504];

export const retryAfterMsMax = 24 * hours;

export const retryMsMax = 24 * hours * (1 + jitter);

export interface FailedAttempt {
  /** Starts at 1. */
  attempt: number;
  status: number;
  retryAfter: string | null;
  /** The machine's time, for a date in `retryAfter`. */
  machineTime: Timestamp;
}

/** `disable`: the receiver refuses further deliveries. */
export type NextStep = { kind: "retry"; at: Timestamp } | { kind: "give-up" } | { kind: "disable" };

/** The next delay, ±20 %: at least Retry-After (at most 24 h), and 60 s for a busy receiver. 410 disables. */
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

/** Parses Retry-After: seconds or an HTTP date (RFC 9110, 10.2.3); 0 for other texts. */
function parseRetryAfter(header: string | null, nowMs: number): number {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * seconds;
  // Date.parse accepts nearly any text, but every HTTP date starts with a weekday.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return 0;
  // The asctime form has no zone and means UTC.
  const moment = Date.parse(/GMT$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(moment) ? 0 : Math.max(0, moment - nowMs);
}
