import type { Timestamp } from "../runtime/clock.ts";
import { isTimeOfDay, readTime, type TypedAt } from "./read-time.ts";
import type { LocalDate } from "./zone.ts";

/** Between which moments something is wanted; null: open at that end. */
export interface TimeWindow {
  start: Timestamp | null;
  end: Timestamp | null;
}

/** What may be typed for a window, for helps and errors. */
export const windowForms =
  "8:00-10:00, from 8:00, until 10:00; on another day with its name: fri 22:00 - sat 2:00";

/**
 * Understands a window as people write it, in their zone: the inverse of `showWindow`. A time without a day is of `day`,
 * or of the window's first day. A refusal is the rest of a sentence that begins with the text.
 */
export function readWindow(
  text: string,
  day: LocalDate,
  at: TypedAt,
): { window: TimeWindow } | { refusal: string } {
  const words = text.trim();
  if (words === "") return { window: { end: null, start: null } };
  const { from, to } = split(words);
  if (from === null && to === null) return { refusal: `is no window; a window is ${windowForms}` };
  const start = readMoment(from, day, at);
  if ("refusal" in start) return start;
  const end = readMoment(to, start.moment === null ? day : at.zone.dateOf(start.moment), at);
  if ("refusal" in end) return end;
  const window = { end: end.moment, start: start.moment };
  const isBackwards = window.start !== null && window.end !== null && window.end < window.start;
  return isBackwards ? { refusal: "ends before it begins; name the day on which it ends" } : { window };
}

/** A hyphen that stands in a date is no dash: one that does not has a time of day behind it, or spaces around it. */
function split(words: string): { from: string | null; to: string | null } {
  const [, from, to] = /^(.+?)(?:\s*[–—]\s*|\s+-\s+|-(?=\d{1,2}(?::|h\d|[ap])))(.+)$/i.exec(words) ?? [];
  if (from !== undefined && to !== undefined) return { from, to };
  const [, open = "", moment = null] = /^(from|after|until|till|by|before)\s+(.+)$/i.exec(words) ?? [];
  return /^(?:from|after)$/i.test(open) ? { from: moment, to: null } : { from: null, to: moment };
}

/** null: that end is open. */
function readMoment(
  text: string | null,
  day: LocalDate,
  at: TypedAt,
): { moment: Timestamp | null } | { refusal: string } {
  if (text === null) return { moment: null };
  const read = readTime(isTimeOfDay(text) ? `${day} ${text}` : text, at);
  if ("refusal" in read) return { refusal: `is no window: "${text}" ${read.refusal}` };
  if ("day" in read.time) return { refusal: `is no window: "${text}" has no time of day` };
  return { moment: read.time.moment };
}
