import type { Timestamp } from "../runtime/clock.ts";
import { isTimeOfDay, readTime, type TypedAt } from "./read-time.ts";
import type { Clock } from "./usual-clock.ts";
import type { LocalDate } from "./zone.ts";

/** null leaves an end open. */
export interface TimeWindow {
  start: Timestamp | null;
  end: Timestamp | null;
}

export const windowForms =
  "8:00-10:00, 1-3pm, 8-10, from 8:00, until 10:00; on another day with its name: fri 22:00 - sat 2:00";

/** The inverse of `showWindow`. A time without a day belongs to `day`, or to the window's first day. */
export function readWindow(
  text: string,
  day: LocalDate,
  at: TypedAt,
): { window: TimeWindow } | { refusal: string } {
  const words = text.trim();
  if (words === "") return { window: { end: null, start: null } };
  const hours = readHours(words, at.zone.clock);
  if (hours !== null && "refusal" in hours) return hours;
  const { from, to } = hours ?? split(words);
  if (from === null && to === null) return { refusal: `is not a window; a window is ${windowForms}` };
  const start = readMoment(from, day, at);
  if ("refusal" in start) return start;
  const end = readMoment(to, start.moment === null ? day : at.zone.dateOf(start.moment), at);
  if ("refusal" in end) return end;
  const window = { end: end.moment, start: start.moment };
  const isBackwards = window.start !== null && window.end !== null && window.end < window.start;
  return isBackwards ? { refusal: "ends before it begins; name the day on which it ends" } : { window };
}

/** The ends of a window of one day with full times. */
export interface Hours {
  from: string;
  to: string;
  /** The text had neither am nor pm, and the clock made it the afternoon. */
  isAssumed: boolean;
}

/** `fri 1-3pm` is from `fri 13:00` to `fri 15:00`; `1:30-4:00` is the afternoon on a 12-hour clock. */
export function readHours(text: string, clock: Clock): Hours | { refusal: string } | null {
  const [, day = "", first, firstMinute, firstHalf, last, lastMinute, lastHalf] =
    hoursForm.exec(text.trim()) ?? [];
  if (first === undefined || last === undefined) return null;
  const [start, end] = [toMinutes(first, firstMinute), toMinutes(last, lastMinute)];
  if (start === null || end === null) return null;
  const isBare = firstHalf === undefined && lastHalf === undefined;
  // Two times of a 24-hour clock are clear. Nobody writes `01:30` on a 12-hour clock.
  const isClear =
    firstMinute !== undefined && lastMinute !== undefined && (clock === "24h" || first.startsWith("0"));
  const bare = () => (isClear ? { from: start, to: end } : toBare(start, end, clock));
  const hours = isBare ? bare() : toHalves([start, firstHalf], [end, lastHalf]);
  if (hours === null || "refusal" in hours) return hours;
  const isAssumed = isBare && hours.from !== start;
  return { from: `${day}${toClock(hours.from)}`, isAssumed, to: `${day}${toClock(hours.to)}` };
}

function toBare(from: number, to: number, clock: Clock): { from: number; to: number } | { refusal: string } {
  if (from > to && to <= noon) return { from, to: to + noon };
  const isUnclear = from > 0 && from < earliestBare && to <= noon;
  if (isUnclear && clock === "12h" && from < earliestMorning && to < noon)
    return { from: from + noon, to: to + noon };
  return isUnclear ? { refusal: "is not clear; add am or pm, as in 1-3pm" } : { from, to };
}

type Half = string | undefined;

/** null for an hour that a 12-hour clock does not have. */
function toHalves([start, first]: [number, Half], [end, last]: [number, Half]) {
  if (Math.max(start, end) >= noon + 60 || Math.min(start, end) < 60) return null;
  const [from, to] = [inHalf(start, first ?? last), inHalf(end, last ?? first)];
  if (from < to || (first !== undefined && last !== undefined)) return { from, to };
  return last === undefined ? { from, to: to + noon } : { from: (from + noon) % (2 * noon), to };
}

const hoursForm =
  /^(|.*\s)(\d{1,2})(?::(\d{2}))?\s*([ap])?(?:\.?m\.?)?\s*[-–—]\s*(\d{1,2})(?::(\d{2}))?\s*([ap])?(?:\.?m\.?)?$/i;

const noon = 12 * 60;

/** `1-3` could mean the night or the afternoon; `6-8` is a morning. */
const earliestBare = 6 * 60;

/** A typed morning begins at 5 at the earliest: some trucks start then, and no customer asks for 4. */
const earliestMorning = 5 * 60;

function toMinutes(hours: string, minutes = "0"): number | null {
  const [hour, minute] = [Number(hours), Number(minutes)];
  return hour < 24 && minute < 60 ? hour * 60 + minute : null;
}

const inHalf = (minutes: number, half = "a") => (minutes % noon) + (half.toLowerCase() === "p" ? noon : 0);

const toClock = (minutes: number) =>
  `${Math.floor(minutes / 60) % 24}:${String(minutes % 60).padStart(2, "0")}`;

/** A hyphen divides a window if a time of day follows or spaces surround it. Other hyphens are parts of dates. */
function split(words: string): { from: string | null; to: string | null } {
  const [, from, to] = /^(.+?)(?:\s*[–—]\s*|\s+-\s+|-(?=\d{1,2}(?::|h\d|[ap])))(.+)$/i.exec(words) ?? [];
  if (from !== undefined && to !== undefined) return { from, to };
  const [, open = "", moment = null] = /^(from|after|until|till|by|before)\s+(.+)$/i.exec(words) ?? [];
  return /^(?:from|after)$/i.test(open) ? { from: moment, to: null } : { from: null, to: moment };
}

/** null leaves the end open. */
function readMoment(
  text: string | null,
  day: LocalDate,
  at: TypedAt,
): { moment: Timestamp | null } | { refusal: string } {
  if (text === null) return { moment: null };
  const read = readTime(isTimeOfDay(text) ? `${day} ${text}` : text, at);
  if ("refusal" in read) return { refusal: `is not a window: "${text}" ${read.refusal}` };
  if ("day" in read.time) return { refusal: `is not a window: "${text}" has no time of day` };
  return { moment: read.time.moment };
}
