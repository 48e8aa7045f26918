import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The wait after each failed attempt. The attempt after the last wait is the delivery's last. */
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

/** How long a receiver may take to answer an attempt. */
export const answerMsMax = 15 * seconds;

/** For so long, and for so many events, a webhook does nothing but fail before it is deactivated. */
export const failingMsMax = 5 * 24 * hours;
export const failedMessagesMin = 10;

/** By how much each wait is longer or shorter, by chance. */
export const jitter = 0.2;

/** After an answer that says that the receiver is busy the wait is as long as this at least. */
export const busyWaitMs = 60 * seconds;
export const busyStatuses: readonly number[] = [429, 502, 503, 504];

/** The longest Retry-After that is honoured. */
export const retryAfterMsMax = 24 * hours;

/** The longest wait that is ever planned. */
export const retryMsMax = 24 * hours * (1 + jitter);

/** An attempt that was not answered with success. */
export interface FailedAttempt {
  /** Its number, from 1. */
  attempt: number;
  /** The answer's status; −1 when there was none. */
  status: number;
  /** The answer's Retry-After header. */
  retryAfter: string | null;
  /** The machine's time; a date in that header is compared with it. */
  machineTime: Timestamp;
}

/** What follows a failed attempt; `disable` means that the receiver asked for no more deliveries. */
export type NextStep = { kind: "retry"; at: Timestamp } | { kind: "give-up" } | { kind: "disable" };

/**
 * Decides what follows a failed attempt: the next wait of the ladder, ±20 %. It is at least as long as the
 * answer's Retry-After (24 h at most), and 60 s when the receiver is busy. 410 disables. `random` gives numbers from 0
 * to 1.
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

/** Milliseconds to wait by a Retry-After header: seconds or an HTTP date (RFC 9110, 10.2.3); 0 for anything else. */
function parseRetryAfter(header: string | null, nowMs: number): number {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * seconds;
  // Date.parse accepts nearly any text, but every HTTP date begins with a weekday.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return 0;
  // asctime, the third of the three forms, names no zone and means UTC like the others.
  const moment = Date.parse(/GMT$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(moment) ? 0 : Math.max(0, moment - nowMs);
}
