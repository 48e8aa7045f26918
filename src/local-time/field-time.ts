import type { Timestamp } from "../runtime/clock.ts";
import type { TypedTime } from "./read-time.ts";
import { fromWholeDay, holdsDays, toMomentOfDay } from "./whole-day.ts";
import type { Zone } from "./zone.ts";

/** A time that somebody typed, as the value of a field: a day of fields that hold days, else its first moment. */
export function toFieldValue(time: TypedTime, field: string, zone: Zone): Timestamp {
  if ("moment" in time) return holdsDays(field) ? toMomentOfDay(time.moment) : time.moment;
  return holdsDays(field) ? fromWholeDay(time.day) : zone.startOf(time.day);
}
