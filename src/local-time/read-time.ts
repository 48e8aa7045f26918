import { isWrittenTimestamp, parseTimestamp } from "../models/timestamps.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import type { DateOrder } from "./date-order.ts";
import { readDate } from "./read-date.ts";
import { showDay, showTimeOfDay } from "./show-time.ts";
import type { LocalDate, TimeOfDay, Zone } from "./zone.ts";

export interface TypedAt {
  zone: Zone;
  now: Timestamp;
  order: DateOrder;
}

export type TypedTime = { day: LocalDate } | { moment: Timestamp };

/** `note` explains the choice if the text was ambiguous. */
export type Understood = { time: TypedTime; note: string | null } | { refusal: string };

/** For help and errors. */
export const timeForms =
  "today, tomorrow, fri, 12/1, 2026-12-01, Dec 1, +3d; with a time like 8:00 or 8am, or a time alone";

/** A time with an offset ignores the zone. A refusal is the end of a sentence that starts with the text. */
export function readTime(text: string, at: TypedAt): Understood {
  const understood = understand(text, at);
  if ("refusal" in understood || !("moment" in understood.time)) return understood;
  return /^\d{4}-/.test(understood.time.moment)
    ? understood
    : { refusal: "is outside of the years 1 to 9999" };
}

function understand(text: string, at: TypedAt): Understood {
  const exact = readExact(text);
  if (exact !== null) return { time: { moment: exact }, note: null };
  const words = toWords(text);
  const hours = readHoursAhead(words, at.now);
  if (hours !== null) return { time: { moment: hours }, note: null };
  const split = takeTimeOfDay(nameHour(words, at.zone));
  if (split === null) return notATime;
  const today = at.zone.dateOf(at.now);
  if (split.rest.length === 0 && split.time === null) return notATime;
  const date = split.rest.length === 0 ? { date: today, note: null } : readDate(split.rest, today, at.order);
  if (date === null) return /^[a-z]+ \d{1,2}$/.test(split.rest.join(" ")) ? notAnHour : notATime;
  if ("refusal" in date) return date;
  if (split.time === null) return { time: { day: date.date }, note: date.note };
  return toMoment(date.date, split.time, date.note, at);
}

export function isTimeOfDay(text: string): boolean {
  const split = takeTimeOfDay(toWords(text));
  return split !== null && split.time !== null && split.rest.length === 0;
}

const notAnHour = { refusal: "is not a time; write an hour like 8:00 or 8am" };
const notATime = { refusal: `is not a time; a time is ${timeForms}` };

/** Whether the text means the same time in every zone. */
export function isExactTime(text: string): boolean {
  return readExact(text) !== null;
}

function readExact(text: string): Timestamp | null {
  return isWrittenTimestamp(text) || /\d[Tt ]\d.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(text)
    ? parseTimestamp(text)
    : null;
}

/** Lower case, with day and time separated, without filler words. */
function toWords(text: string): string[] {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(\d{4}-\d{2}-\d{2})t(?=\d)/, "$1 ")
    .replace(/(\d)\s*([ap])\.?m\.?(?=[\s,]|$)/g, "$1$2m")
    .split(/[\s,]+/)
    .filter((word) => word !== "" && word !== "at" && word !== "on");
}

/** `+2h`, `-30m`: relative to now. */
function readHoursAhead(words: readonly string[], now: Timestamp): Timestamp | null {
  const [, sign, amount, unit] =
    words.length === 1 ? (/^([+-])(\d{1,4})(h|m|min)$/.exec(words[0] ?? "") ?? []) : [];
  if (amount === undefined) return null;
  const ms = Number(amount) * (unit === "h" ? 3_600_000 : 60_000);
  return toTimestamp(toEpochMs(now) + (sign === "-" ? -ms : ms));
}

/**
 * `tomorrow 8` is 8:00. On a 12-hour clock 7 to 11 are in the morning and 12 to 4 in the afternoon; 5 and 6 need `am` or
 * `pm`. After another day, a number may be a date.
 */
function nameHour(words: readonly string[], { clock }: Zone): readonly string[] {
  const [day = "", number = "", ...rest] = words;
  if (rest.length > 0 || !/^(?:today|tod|tomorrow|tom)$/.test(day) || !/^\d{1,2}$/.test(number)) return words;
  if (clock === "24h") return [day, `${number}:00`];
  const hour = Number(number);
  if (hour >= 7 && hour <= 11) return [day, `${hour}am`];
  return hour === 12 || (hour >= 1 && hour <= 4) ? [day, `${hour}pm`] : words;
}

/** Takes the time of day out of the words, at any position; null if there are two. */
function takeTimeOfDay(words: readonly string[]): { time: TimeOfDay | null; rest: string[] } | null {
  const times = words.map(readTimeOfDay);
  const found = times.filter((time) => time !== null);
  if (found.length > 1) return null;
  return { time: found[0] ?? null, rest: words.filter((_, index) => times[index] === null) };
}

/** `8:00`, `8:00:30`, `08h30`, `8am`, `8:30pm`, `noon`, and `midnight`, the start of its day. */
function readTimeOfDay(word: string): TimeOfDay | null {
  if (word === "noon") return { hour: 12, minute: 0, second: 0 };
  if (word === "midnight") return { hour: 0, minute: 0, second: 0 };
  const parts = /^(\d{1,2})(?:[:h](\d{2})(?::(\d{2})(?:\.\d+)?)?)?([ap]m?)?$/.exec(word);
  if (!parts) return null;
  const [, hours, minutes, seconds = "0", half] = parts;
  if (minutes === undefined && half === undefined) return null;
  const hour = half === undefined ? Number(hours) : toHour(Number(hours), half);
  const time = { hour: hour ?? 24, minute: Number(minutes ?? 0), second: Number(seconds) };
  return time.hour < 24 && time.minute < 60 && time.second < 60 ? time : null;
}

/** `12am` is the start of a day, `12pm` is noon. */
function toHour(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.startsWith("p") ? 12 : 0);
}

function toMoment(date: LocalDate, time: TimeOfDay, note: string | null, { zone, now }: TypedAt): Understood {
  const { moments } = zone.momentsOf(date, time);
  const [first, second] = moments;
  const shown = `${showTimeOfDay(time, zone)} on ${showDay(date, { today: zone.dateOf(now) })}`;
  if (first === undefined)
    return { refusal: `does not exist: the clocks of ${zone.name} are set forward past ${shown}` };
  const twice = second === undefined ? null : `${shown} occurs twice in ${zone.name}; the first is used`;
  return { time: { moment: first }, note: [note, twice].filter((text) => text !== null).join("; ") || null };
}
