import type { Timestamp } from "../runtime/clock.ts";
import type { LocalDate, Zone } from "./zone.ts";

/** The fields in which midnight UTC means a whole day, in whatever zone: every other moment is one. */
const dayFields: readonly string[] = [
  "original_schedule_date",
  "pickup_date",
  "renewal_date",
  "schedule_date",
  "new_schedule_date",
];

/** Whether a field may hold a whole day. */
export function holdsDays(field: string): boolean {
  return dayFields.includes(field);
}

/** Whether a stored time is a date without a time. */
export function isWholeDay(moment: Timestamp): boolean {
  return moment.endsWith("T00:00:00.000000");
}

/** The day that a whole day's moment stands for; null for a moment of a day. */
export function toWholeDay(moment: Timestamp): LocalDate | null {
  return isWholeDay(moment) ? moment.slice(0, 10) : null;
}

/** A whole day as it is stored. */
export function fromWholeDay(date: LocalDate): Timestamp {
  return `${date}T00:00:00.000000`;
}

/** A moment that was meant as one: midnight UTC is a microsecond later, so that it is not taken for a day. */
export function toMomentOfDay(moment: Timestamp): Timestamp {
  return isWholeDay(moment) ? `${moment.slice(0, 19)}.000001` : moment;
}

/** The day on which something lies that is planned for a whole day or a moment. */
export function dayOf(moment: Timestamp, zone: Zone): LocalDate {
  return toWholeDay(moment) ?? zone.dateOf(moment);
}

/** The last moment until which something that is planned for a whole day or a moment is in time. */
export function latestOf(moment: Timestamp, zone: Zone): Timestamp {
  const day = toWholeDay(moment);
  return day === null ? moment : zone.endOf(day);
}
