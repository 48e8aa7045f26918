import type { Timestamp } from "../runtime/clock.ts";
import { isTimeOfDay, readTime, type TypedAt } from "./read-time.ts";
import type { LocalDate } from "./zone.ts";

/** null leaves an end open. */
export interface TimeWindow {
  start: Timestamp | null;
  end: Timestamp | null;
}

/** The forms of a window, for help and errors. */
export const windowForms =
  "8:00-10:00, from 8:00, until 10:00; on another day with its name: fri 22:00 - sat 2:00";

/**
 * Reads a window in its zone: the inverse of `showWindow`. A time without a day belongs to `day`, or to the window's
 * first day. A refusal is the end of a sentence that starts with the text.
 */
export function readWindow(
  text: string,
  day: LocalDate,
  at: TypedAt,
): { window: TimeWindow } | { refusal: string } {
  const words = text.trim();
  if (words === "") return { window: { end: null, start: null } };
  const { from, to } = split(words);
  if (from === null && to === null) return { refusal: `is not a window; a window is ${windowForms}` };
  const start = readMoment(from, day, at);
  if ("refusal" in start) return start;
  const end = readMoment(to, start.moment === null ? day : at.zone.dateOf(start.moment), at);
  if ("refusal" in end) return end;
  const window = { end: end.moment, start: start.moment };
  const isBackwards = window.start !== null && window.end !== null && window.end < window.start;
  return isBackwards ? { refusal: "ends before it begins; name the day on which it ends" } : { window };
}

/** A hyphen divides a window when a time of day follows it, or spaces surround it. Other hyphens are parts of dates. */
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
