import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { loadLuxon } from "../runtime/load-luxon.ts";

/** A day of the calendar, `YYYY-MM-DD`: where it is one, no zone is said. */
export type LocalDate = string;

/** A moment as the clocks of a zone show it. */
export interface LocalMoment {
  date: LocalDate;
  hour: number;
  minute: number;
  second: number;
}

/** The time of day, on a day. */
export interface TimeOfDay {
  hour: number;
  minute: number;
  second: number;
}

/** What a zone's clocks make of a time of day: once, twice when they are set back, never when they are set forward. */
export interface ZonedTimes {
  /** The moments, the earlier one first. */
  moments: readonly Timestamp[];
}

/** A time zone of the tz database: the one place that turns moments into days and times of day, and back. */
export class Zone {
  readonly name: string;
  #clock: Intl.DateTimeFormat | undefined;
  // Plans have the same few times again and again, and who looks at the jobs of a day asks for its end with each of them.
  readonly #locals = new Map<Timestamp, LocalMoment>();
  #lastEnd: { date: LocalDate; end: Timestamp } | undefined;

  /** `name` must be one that `findTimeZone` knows. */
  constructor(name: string) {
    this.name = name;
  }

  /** What the clocks show at a moment. */
  toLocal(moment: Timestamp): LocalMoment {
    if (this.name === "UTC") return readMoment(moment);
    const known = this.#locals.get(moment);
    if (known) return known;
    if (this.#locals.size >= localsMax) this.#locals.clear();
    const local = this.#readClock(moment);
    this.#locals.set(moment, local);
    return local;
  }

  /** The day that it is at a moment. */
  dateOf(moment: Timestamp): LocalDate {
    return this.toLocal(moment).date;
  }

  /** The first moment of a day. */
  startOf(date: LocalDate): Timestamp {
    return toWithinCalendar(
      loadLuxon().DateTime.fromISO(date, { zone: this.name }).startOf("day").toMillis(),
    );
  }

  /** The last moment of a day. */
  endOf(date: LocalDate): Timestamp {
    if (this.#lastEnd?.date === date) return this.#lastEnd.end;
    const lastMs = loadLuxon().DateTime.fromISO(date, { zone: this.name }).endOf("day").toMillis();
    const end = `${toWithinCalendar(lastMs).slice(0, 23)}999`;
    this.#lastEnd = { date, end };
    return end;
  }

  /** The moments at which the clocks show a time of day; they may lie outside of the wire's calendar. */
  momentsOf(date: LocalDate, { hour, minute, second }: TimeOfDay): ZonedTimes {
    const [year, month, day] = date.split("-").map(Number);
    const wanted = { year, month, day, hour, minute, second };
    const first = loadLuxon().DateTime.fromObject(wanted, { zone: this.name });
    // Where clocks are set forward, luxon moves the time along.
    if (first.hour !== hour || first.minute !== minute) return { moments: [] };
    const moments = first.getPossibleOffsets().map((moment) => moment.toMillis());
    return { moments: moments.toSorted((one, other) => one - other).map(toTimestamp) };
  }

  /** How the zone is called at a moment: `MST`, or `GMT+13` where no letters are usual. */
  abbreviationAt(moment: Timestamp): string {
    return this.name === "UTC" ? "UTC" : (this.#partsAt(moment).timeZoneName ?? this.name);
  }

  #readClock(moment: Timestamp): LocalMoment {
    const parts = this.#partsAt(moment);
    const date = [parts.year?.padStart(4, "0"), parts.month, parts.day].join("-");
    // Where a zone's clocks have left the wire's calendar, those of UTC are read: 10000-01-01 has no place, nor has 1 BC.
    if (date > lastDay || date.length > lastDay.length || parts.era === "BC") return readMoment(moment);
    return { date, hour: Number(parts.hour), minute: Number(parts.minute), second: Number(parts.second) };
  }

  // What Node has itself: to show a time is what most commands do, and luxon would be half of their start.
  #partsAt(moment: Timestamp): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
    this.#clock ??= new Intl.DateTimeFormat("en-US", { ...allOfClock, timeZone: this.name });
    const parts = this.#clock.formatToParts(toEpochMs(moment));
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

/** The zone of the wire. */
export const utc = new Zone("UTC");

/** A day some days later or, with a negative number, earlier; where the calendar ends, its last day or its first. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return toWithinCalendar(toEpochMs(`${date}T00:00:00.000000`) + days * dayMs).slice(0, 10);
}

/** Timestamps have years of four digits: what lies beyond is the first of them, or the last. */
function toWithinCalendar(epochMs: number): Timestamp {
  const [first, last] = [toEpochMs(`${firstDay}T00:00:00.000`), toEpochMs(`${lastDay}T23:59:59.999`)];
  return toTimestamp(Math.min(Math.max(epochMs, first), last));
}

const [firstDay, lastDay] = ["0001-01-01", "9999-12-31"] as const;

/** How many days later one day is than another. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return Math.round((toEpochMs(`${to}T00:00:00.000000`) - toEpochMs(`${from}T00:00:00.000000`)) / dayMs);
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(date: LocalDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

const dayMs = 86_400_000;
