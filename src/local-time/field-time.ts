import type { Timestamp } from "../runtime/clock.ts";
import type { TypedTime } from "./read-time.ts";
import { fromWholeDay, holdsDays, toMomentOfDay } from "./whole-day.ts";
import type { Zone } from "./zone.ts";

/** The stored day for a field with days, else the first moment of the day. */
export function toFieldValue(time: TypedTime, field: string, zone: Zone): Timestamp {
  if ("moment" in time) return holdsDays(field) ? toMomentOfDay(time.moment) : time.moment;
  return holdsDays(field) ? fromWholeDay(time.day) : zone.startOf(time.day);
}

/** A filter by days (`schedule_gte`) gets the stored day, or the day's end for "after" and "until". */
export function toFilterValue(time: TypedTime, filter: string, zone: Zone): Timestamp {
  if ("moment" in time) return time.moment;
  const [, compared] = /^schedule_(from|gte?|lte?)$/.exec(filter) ?? [];
  if (compared === undefined) return zone.startOf(time.day);
  return compared === "gt" || compared === "lte" ? `${time.day}T23:59:59.999999` : fromWholeDay(time.day);
}
