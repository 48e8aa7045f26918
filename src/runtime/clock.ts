/** `YYYY-MM-DDTHH:MM:SS.ffffff` in UTC, without a zone. The fixed width makes text order equal time order. */
export type Timestamp = string;

export interface Clock {
  now(): Timestamp;
}

/** The only reader of the machine's clock. */
export const readEpochMs = () => Date.now();

export const systemClock: Clock = {
  now: () => {
    const epochMs = readEpochMs();
    // A busy process asks several times per millisecond, and formatting takes ten times as long as this check.
    if (epochMs !== last.epochMs) last = { epochMs, text: toTimestamp(epochMs) };
    return last.text;
  },
};

/** The offset of a sandbox's clock in milliseconds, in the server's responses. */
export const clockOffsetHeader = "x-sandbox-clock-offset";

export function aheadOf(clock: Clock, byMs: number): Clock {
  return byMs === 0 ? clock : { now: () => toTimestamp(toEpochMs(clock.now()) + byMs) };
}

let last = { epochMs: Number.NaN, text: "" };

/** The last three digits are zeros. */
export function toTimestamp(epochMs: number): Timestamp {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000`;
}

export function toEpochMs(timestamp: Timestamp): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`);
}

export function toNextMoment(timestamp: Timestamp): Timestamp {
  const micros = Number(timestamp.slice(23)) + 1;
  if (micros === 1000) return toTimestamp(toEpochMs(timestamp) + 1);
  return timestamp.slice(0, 23) + String(micros).padStart(3, "0");
}
