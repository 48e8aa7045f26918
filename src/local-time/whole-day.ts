import type { Timestamp } from "../runtime/clock.ts";
import type { LocalDate, Zone } from "./zone.ts";

/** In these fields midnight UTC means a whole day in any zone; other values are moments. */
const dayFields: readonly string[] = [
  "off_from",
  "off_until",
  "original_schedule_date",
  "pickup_date",
  "renewal_date",
  "schedule_date",
  "new_schedule_date",
];

export function holdsDays(field: string): boolean {
  return dayFields.includes(field);
}

export function isWholeDay(moment: Timestamp): boolean {
  return moment.endsWith("T00:00:00.000000");
}

/** null for a moment. */
export function toWholeDay(moment: Timestamp): LocalDate | null {
  return isWholeDay(moment) ? moment.slice(0, 10) : null;
}

export function fromWholeDay(date: LocalDate): Timestamp {
  return `${date}T00:00:00.000000`;
}

/** Moves midnight UTC by a microsecond, because it would mean a whole day. */
export function toMomentOfDay(moment: Timestamp): Timestamp {
  return isWholeDay(moment) ? `${moment.slice(0, 19)}.000001` : moment;
}

export function dayOf(moment: Timestamp, zone: Zone): LocalDate {
  return toWholeDay(moment) ?? zone.dateOf(moment);
}

/** The last moment that is in time for a planned day or moment. */
export function latestOf(moment: Timestamp, zone: Zone): Timestamp {
  const day = toWholeDay(moment);
  return day === null ? moment : zone.endOf(day);
}
