import type { Timestamp } from "../runtime/clock.ts";
import type { TypedTime } from "./read-time.ts";
import { fromWholeDay, holdsDays, toMomentOfDay } from "./whole-day.ts";
import type { Zone } from "./zone.ts";

/** A time that somebody typed, as the value of a field: a day of fields that hold days, else its first moment. */
export function toFieldValue(time: TypedTime, field: string, zone: Zone): Timestamp {
  if ("moment" in time) return holdsDays(field) ? toMomentOfDay(time.moment) : time.moment;
  return holdsDays(field) ? fromWholeDay(time.day) : zone.startOf(time.day);
}

/**
 * A time that somebody typed, as the bound of a list's filter. A day of filters by days (`schedule_gte`) is the whole day
 * as it is stored, for those that begin after it or end with it its end; else it is its first moment.
 */
export function toFilterValue(time: TypedTime, filter: string, zone: Zone): Timestamp {
  if ("moment" in time) return time.moment;
  const [, compared] = /^schedule_(gte?|lte?)$/.exec(filter) ?? [];
  if (compared === undefined) return zone.startOf(time.day);
  return compared === "gt" || compared === "lte" ? `${time.day}T23:59:59.999999` : fromWholeDay(time.day);
}
