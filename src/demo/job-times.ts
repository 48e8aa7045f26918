import { dayInMs, hourInMs, minuteInMs } from "./calendar.ts";
import type { Random } from "./random.ts";
import type { Crew, Yard } from "./yard.ts";

/** A job's place in a crew's day. */
export interface Slot {
  crew: Crew;
  /** The whole day, as it is stored. */
  dayMs: number;
  /** When work begins that day, by the clocks of the yard. */
  opensMs: number;
  /** 0 is today, negative lies behind. */
  daysAhead: number;
  /** How many jobs the crew has that day. */
  ofDay: number;
  /** From 0, in the order of the route. */
  position: number;
  yard: Yard;
}

/** When a job was made, given to its crew, and is driven; milliseconds since 1970. */
export interface JobTimes {
  createdMs: number;
  dispatchedMs: number;
  startMs: number;
  endMs: number;
}

/** Jobs are made at most this long before their day. */
export const leadDaysMax = 10;

/** On the clocks of a yard. */
export const workdayStarts = { hour: 7, minute: 0, second: 0 };

const workdayMs = 10 * hourInMs;
const jobMsMax = 2 * hourInMs;

/** Places a job in time. It was made before now, even when its day is far ahead, and dispatched by now. */
export function toJobTimes({ ofDay, opensMs, position }: Slot, nowMs: number, random: Random): JobTimes {
  const madeOn = opensMs - random.between(1, leadDaysMax) * dayInMs + random.between(0, 10 * 60) * minuteInMs;
  const createdMs = Math.min(madeOn, nowMs - random.between(60, 72 * 60) * minuteInMs);
  const slotMs = Math.floor(workdayMs / ofDay);
  const startMs = opensMs + position * slotMs + random.between(0, Math.floor(slotMs / 10));
  return {
    createdMs,
    // The afternoon before, as far as that has been.
    dispatchedMs: Math.max(createdMs, Math.min(opensMs - 15 * hourInMs, nowMs)),
    startMs,
    endMs: startMs + Math.floor((Math.min(slotMs, jobMsMax) * random.between(50, 85)) / 100),
  };
}
