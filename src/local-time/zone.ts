import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { loadLuxon } from "../runtime/load-luxon.ts";
import { type Clock, usualClock } from "./usual-clock.ts";

/** A calendar day without a zone, `YYYY-MM-DD`. */
export type LocalDate = string;

export interface LocalMoment {
  date: LocalDate;
  hour: number;
  minute: number;
  second: number;
}

export interface TimeOfDay {
  hour: number;
  minute: number;
  second: number;
}

/** The moments of a local time: one, two when clocks go back, none when clocks skip it. */
export interface ZonedTimes {
  /** In ascending order. */
  moments: readonly Timestamp[];
}

/** A time zone of the tz database. Only this class converts between moments and days. */
export class Zone {
  readonly name: string;
  readonly clock: Clock;
  #parts: Intl.DateTimeFormat | undefined;
  // A cache: a day's jobs repeat few times.
  readonly #locals = new Map<Timestamp, LocalMoment>();
  #lastEnd: { date: LocalDate; end: Timestamp } | undefined;

  /** `findTimeZone` must know `name`. `clock` defaults to the clock of the zone's country. */
  constructor(name: string, clock?: Clock | null) {
    this.name = name;
    this.clock = clock ?? usualClock(name);
  }

  toLocal(moment: Timestamp): LocalMoment {
    if (this.name === "UTC") return readMoment(moment);
    const known = this.#locals.get(moment);
    if (known) return known;
    if (this.#locals.size >= localsMax) this.#locals.clear();
    const local = this.#readClock(moment);
    this.#locals.set(moment, local);
    return local;
  }

  dateOf(moment: Timestamp): LocalDate {
    return this.toLocal(moment).date;
  }

  startOf(date: LocalDate): Timestamp {
    return toWithinCalendar(
      loadLuxon().DateTime.fromISO(date, { zone: this.name }).startOf("day").toMillis(),
    );
  }

  endOf(date: LocalDate): Timestamp {
    if (this.#lastEnd?.date === date) return this.#lastEnd.end;
    const lastMs = loadLuxon().DateTime.fromISO(date, { zone: this.name }).endOf("day").toMillis();
    const end = `${toWithinCalendar(lastMs).slice(0, 23)}999`;
    this.#lastEnd = { date, end };
    return end;
  }

  /** The moments may be outside of the interface's calendar. */
  momentsOf(date: LocalDate, { hour, minute, second }: TimeOfDay): ZonedTimes {
    const [year, month, day] = date.split("-").map(Number);
    const wanted = { year, month, day, hour, minute, second };
    const first = loadLuxon().DateTime.fromObject(wanted, { zone: this.name });
    // luxon moves a skipped time forward.
    if (first.hour !== hour || first.minute !== minute) return { moments: [] };
    const moments = first.getPossibleOffsets().map((moment) => moment.toMillis());
    return { moments: moments.toSorted((one, other) => one - other).map(toTimestamp) };
  }

  /** `MST`, or `GMT+13` for a zone without usual letters. */
  abbreviationAt(moment: Timestamp): string {
    return this.name === "UTC" ? "UTC" : (this.#partsAt(moment).timeZoneName ?? this.name);
  }

  #readClock(moment: Timestamp): LocalMoment {
    const parts = this.#partsAt(moment);
    const date = [parts.year?.padStart(4, "0"), parts.month, parts.day].join("-");
    // Outside of the interface's calendar (10000-01-01, 1 BC), show UTC.
    if (date > lastDay || date.length > lastDay.length || parts.era === "BC") return readMoment(moment);
    return { date, hour: Number(parts.hour), minute: Number(parts.minute), second: Number(parts.second) };
  }

  // Uses Node's formatter, because luxon would double the start time of most commands.
  #partsAt(moment: Timestamp): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
    this.#parts ??= new Intl.DateTimeFormat("en-US", { ...allOfClock, timeZone: this.name });
    const parts = this.#parts.formatToParts(toEpochMs(moment));
    return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  }
}

const localsMax = 500;

const allOfClock = {
  era: "short",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
} as const;

function readMoment(moment: Timestamp): LocalMoment {
  const [hour = 0, minute = 0, second = 0] = moment.slice(11, 19).split(":").map(Number);
  return { date: moment.slice(0, 10), hour, minute, second };
}

export const utc = new Zone("UTC");

/** Stops at the ends of the calendar. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return toWithinCalendar(toEpochMs(`${date}T00:00:00.000000`) + days * dayMs).slice(0, 10);
}

/** Timestamps have years of four digits, so clamp to the first and last moment. */
function toWithinCalendar(epochMs: number): Timestamp {
  const [first, last] = [toEpochMs(`${firstDay}T00:00:00.000`), toEpochMs(`${lastDay}T23:59:59.999`)];
  return toTimestamp(Math.min(Math.max(epochMs, first), last));
}

const [firstDay, lastDay] = ["0001-01-01", "9999-12-31"] as const;

export function daysBetween(from: LocalDate, to: LocalDate): number {
  return Math.round((toEpochMs(`${to}T00:00:00.000000`) - toEpochMs(`${from}T00:00:00.000000`)) / dayMs);
}

/** 0 is Sunday, 6 is Saturday. */
export function weekdayOf(date: LocalDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

const dayMs = 86_400_000;
