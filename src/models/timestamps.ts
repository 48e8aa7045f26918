import type { Timestamp } from "../runtime/clock.ts";
import { loadLuxon } from "../runtime/load-luxon.ts";

const extended = {
  date: /^\d{4}-(?:\d{2}-\d{2}|W\d{2}-\d|\d{3})$/,
  time: /^\d{2}(?::\d{2}(?::\d{2}([.,]\d+)?)?)?$/,
};
const basic = {
  date: /^\d{4}(?:\d{4}|W\d{3}|\d{3})$/,
  time: /^\d{2}(?:\d{2}(?:\d{2}([.,]\d+)?)?)?$/,
};
const zone = /(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;

/** Accepts ISO 8601 with a whole date, all extended or all basic, years 0001 to 9999 in UTC; else null. */
export function parseTimestamp(text: string): Timestamp | null {
  return parseUsual(text) ?? parseAny(text);
}

/** Parses the usual UTC forms in a fortieth of luxon's time. */
function parseUsual(text: string): Timestamp | null {
  const [, date, time = "00:00:00", fraction = ""] = usual.exec(text) ?? [];
  if (date === undefined || date < "0001") return null;
  const [year, month, day] = [date.slice(0, 4), date.slice(5, 7), date.slice(8)].map(Number);
  // luxon refuses days that the month does not have.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== day) return null;
  return `${date}T${time}.${fraction.slice(0, 6).padEnd(6, "0")}`;
}

const usual =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:[.,](\d+))?Z?)?$/;

function parseAny(text: string): Timestamp | null {
  const parts = splitTimestamp(text);
  if (!parts) return null;
  // luxon has only milliseconds, so the fraction is handled here.
  const { date, time, offset, fraction } = parts;
  const moment = loadLuxon().DateTime.fromISO(time === null ? date : `${date}T${time}${offset}`, {
    zone: "utc",
  });
  if (!moment.isValid || moment.year < 1 || moment.year > 9999) return null;
  const seconds = moment.toISO({ suppressMilliseconds: true, includeOffset: false });
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, "0")}`;
}

interface TimestampParts {
  date: string;
  /** Without its fraction; null for a date alone. */
  time: string | null;
  offset: string;
  fraction: string;
}

function splitTimestamp(text: string): TimestampParts | null {
  if (extended.date.test(text) || basic.date.test(text))
    return { date: text, time: null, offset: "", fraction: "" };
  const separator = text.search(/[T ]/);
  if (separator < 0) return null;
  const date = text.slice(0, separator);
  const rest = text.slice(separator + 1);
  const offset = zone.exec(rest)?.[0] ?? "";
  const time = rest.slice(0, rest.length - offset.length);
  const form = extended.date.test(date) ? extended : basic.date.test(date) ? basic : null;
  const match = form?.time.exec(time);
  if (!match) return null;
  const fraction = match[1] ?? "";
  // 24:00:00 is the end of the day; a fraction would exceed it.
  if (fraction !== "" && time.startsWith("24")) return null;
  const wholeTime = time.slice(0, time.length - fraction.length);
  return { date, time: wholeTime, offset: offset || "Z", fraction: fraction.slice(1) };
}

/** The exact form of the interface, which no person types. */
export function isWrittenTimestamp(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/.test(text);
}

export function isTimestamp(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?$/.test(text);
}
