import { parseTimestamp } from "../models/timestamps.ts";
import type { DateOrder } from "./date-order.ts";
import { showDay } from "./show-time.ts";
import { addDays, daysBetween, type LocalDate, weekdayOf } from "./zone.ts";

type Read = { date: LocalDate; note: string | null } | { refusal: string };

/** Takes words in lower case; null if they name no day. A refusal is the end of a sentence. */
export function readDate(words: readonly string[], today: LocalDate, order: DateOrder): Read | null {
  const text = words.join(" ");
  const ahead = toDaysAhead(text);
  if (ahead !== null) return { date: addDays(today, ahead), note: null };
  return (
    readWeekday(words, today) ??
    readWithWeekday(words, today, order) ??
    readMonthName(words, today) ??
    readMonthName(text.split("-"), today) ??
    readNumbers(text, today, order) ??
    readIso(text)
  );
}

const relativeDays: Readonly<Record<string, number>> = {
  today: 0,
  tod: 0,
  tomorrow: 1,
  tom: 1,
  yesterday: -1,
};

/** `tomorrow`, `+3d`, `-1w`, `+2`. */
function toDaysAhead(text: string): number | null {
  if (Object.hasOwn(relativeDays, text)) return relativeDays[text] ?? null;
  const [, sign, amount, unit] = /^([+-])(\d{1,4})(d|w|days?|weeks?)?$/.exec(text) ?? [];
  if (amount === undefined) return null;
  const days = Number(amount) * (unit?.startsWith("w") ? 7 : 1);
  return sign === "-" ? -days : days;
}

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** `fri` is today or the next Friday, `next fri` is in a later week, `last fri` is in the past. */
function readWeekday(words: readonly string[], today: LocalDate): Read | null {
  const [name = "", which = "this"] = words.toReversed();
  const weekday = toWeekday(name);
  if (words.length > 2 || weekday === -1 || !["this", "next", "last"].includes(which)) return null;
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  if (which === "last") return { date: addDays(today, ahead - 7), note: null };
  if (which === "this") return { date: addDays(today, ahead), note: null };
  const date = addDays(today, ahead + 7);
  return { date, note: `${words.join(" ")} was read as ${showDay(date, { today })}` };
}

function toWeekday(name: string): number {
  return weekdays.findIndex((full) => name.length >= 3 && full.startsWith(name.replace(/\.$/, "")));
}

/** `mon aug 3`, as this program shows days. Without a year, the weekday must match this year or the assumed year. */
function readWithWeekday([name = "", ...rest]: readonly string[], today: LocalDate, order: DateOrder) {
  const weekday = toWeekday(name);
  if (weekday === -1 || rest.length === 0) return null;
  const read = readMonthName(rest, today) ?? readNumbers(rest.join(" "), today, order);
  if (!read || "refusal" in read || weekdayOf(read.date) === weekday) return read;
  const ofThisYear = readMonthName([...rest, today.slice(0, 4)], today);
  const isMeant = ofThisYear !== null && "date" in ofThisYear && weekdayOf(ofThisYear.date) === weekday;
  return isMeant
    ? ofThisYear
    : { refusal: `is not a ${weekdays[weekday]}: that is ${showDay(read.date, { today })}` };
}

const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** `dec 1`, `1 december`, `dec 1 2026`, `dec 1st`, and `1`, `dec`, `26` of a spreadsheet. */
function readMonthName(words: readonly string[], today: LocalDate): Read | null {
  const index = words.findIndex((word) => toMonth(word) !== null);
  if (index === -1 || words.length < 2 || words.length > 3) return null;
  const numbers = words
    .filter((_, at) => at !== index)
    .map((word) => word.replace(/^(\d{1,2})(?:st|nd|rd|th|\.)$/, "$1"));
  if (!numbers.every((word) => /^\d{1,4}$/.test(word))) return null;
  const [day, year] = numbers;
  return toDate({ day, month: String(toMonth(words[index] ?? "")), year }, words.join(" "), today, false);
}

/** From 1, for a name or its first letters; null for other words. */
export function toMonth(word: string): number | null {
  const index = months.findIndex((full) => word.length >= 3 && full.startsWith(word.replace(/\.$/, "")));
  return index === -1 ? null : index + 1;
}

interface Parts {
  day: string | undefined;
  month: string | undefined;
  year: string | undefined;
}

/** `12/1`, `12/1/2026`, `12-1-26`, `1.12.`, `2026/12/1`. With dots the day comes first. */
function readNumbers(text: string, today: LocalDate, order: DateOrder): Read | null {
  const points = /^(\d{1,2})\.(\d{1,2})\.?(\d{4}|\d{2})?$/.exec(text);
  if (points) return toDate({ day: points[1], month: points[2], year: points[3] }, text, today, false);
  const [, year, first, second] = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(text) ?? [];
  if (year !== undefined) return toDate({ year, month: first, day: second }, text, today, false);
  const [, one, two, last] = /^(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?$/.exec(text) ?? [];
  if (one === undefined) return null;
  const isDayFirst = order === "dmy" && !(Number(two) > 12 && Number(one) <= 12);
  const isMonthOnly = order !== "dmy" && Number(one) > 12 && Number(two) <= 12;
  const dayFirst = isDayFirst || isMonthOnly;
  const parts = dayFirst ? { day: one, month: two, year: last } : { day: two, month: one, year: last };
  const isAmbiguous = Number(one) <= 12 && Number(two) <= 12 && one !== two;
  return toDate(parts, text, today, isAmbiguous);
}

/** Without a year, the day is in this year, or in the next if it would be more than 60 days ago. */
function toDate({ day, month, year }: Parts, text: string, today: LocalDate, isAmbiguous: boolean): Read {
  const known = year === undefined ? null : year.length === 2 ? `20${year}` : year;
  const thisYear = toDateText(known ?? today.slice(0, 4), month, day);
  const isOver = known === null && thisYear !== null && daysBetween(thisYear, today) > daysBackMax;
  const date = isOver ? toDateText(String(Number(today.slice(0, 4)) + 1), month, day) : thisYear;
  if (date === null)
    return { refusal: `is not a day of the calendar${known === null ? "; write the year too" : ""}` };
  return { date, note: isAmbiguous ? `${text} was read as ${showDay(date, { today })}` : null };
}

const daysBackMax = 60;

/** null for a day that the month does not have. */
function toDateText(year: string, month: string | undefined, day: string | undefined): LocalDate | null {
  const text = `${year.padStart(4, "0")}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  return parseTimestamp(text) === null ? null : text;
}

/** `2026-12-01`, and the other numeric forms of ISO 8601. */
function readIso(text: string): Read | null {
  const moment = /^[\dw-]+$/.test(text) ? parseTimestamp(text.toUpperCase()) : null;
  return moment === null ? null : { date: moment.slice(0, 10), note: null };
}
