import { sayDay, showDay, showMoment, showTimeOfDay, showWindow } from "../../local-time/show-time.ts";
import { dayOf, holdsDays, toWholeDay } from "../../local-time/whole-day.ts";
import type { JsonObject } from "../../models/json.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { View } from "./view.ts";

/** A field's time as people read it where the record is: `Mon Aug 3 8:00`, or the day alone where it holds one. */
export function tellTime(field: string, record: JsonObject, view: View): string {
  const moment = toMoment(record[field]);
  return moment === null ? "" : tellTimeOf(moment, field, record, view);
}

/** The same of a moment that stands anywhere in the record. */
export function tellTimeOf(moment: Timestamp, field: string, record: JsonObject, view: View): string {
  const times = view.timesOf(record);
  const day = holdsDays(field) ? toWholeDay(moment) : null;
  if (day !== null) return showDay(day, times);
  return withZone(showMoment(moment, times), moment, record, view);
}

/** The same in a sentence: `14:05` today, `yesterday 14:05`. */
export function tellMoment(field: string, record: JsonObject, view: View): string {
  const moment = toMoment(record[field]);
  if (moment === null) return "";
  const times = view.timesOf(record);
  const { date, ...time } = times.zone.toLocal(moment);
  const day = date === times.today ? "" : `${sayDay(date, times)} `;
  return withZone(`${day}${showTimeOfDay(time)}`, moment, record, view);
}

/** Where records of several zones stand together, each time says its own. */
function withZone(text: string, moment: Timestamp, record: JsonObject, view: View): string {
  return view.hasSeveralZones() ? `${text} ${view.timesOf(record).zone.abbreviationAt(moment)}` : text;
}

/** When a job is to be done: `Mon Aug 3 8:00–10:00`; with `isSpoken` "tomorrow" for a day that has such a word. */
export function tellWhen(job: JsonObject, view: View, isSpoken = false): string {
  const scheduled = toMoment(job.schedule_date);
  const start = toMoment(job.desired_start_time);
  const end = toMoment(job.desired_end_time);
  const times = view.timesOf(job);
  const say = isSpoken ? sayDay : showDay;
  if (scheduled === null) {
    const wanted = showWindow({ start, end }, null, times);
    return wanted === "" ? "" : withZone(`wanted ${wanted}`, start ?? end ?? "", job, view);
  }
  const date = dayOf(scheduled, times.zone);
  const window = showWindow({ start, end }, date, times);
  const moment = start ?? end;
  if (moment !== null) return withZone(`${say(date, times)} ${window}`, moment, job, view);
  if (toWholeDay(scheduled) !== null) return say(date, times);
  return withZone(
    `${say(date, times)} ${showTimeOfDay(times.zone.toLocal(scheduled))}`,
    scheduled,
    job,
    view,
  );
}

/** A field's value as a moment; null for none. */
export function toMoment(value: unknown): Timestamp | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Columns that are no fields and tell a time: they are never cut. */
export const timeCells: readonly string[] = ["when"];

/** The zone of records as a heading says it: `New York`; null where they have none in common. */
export function tellZone(records: readonly JsonObject[], view: View): string | null {
  const [first] = records;
  if (first === undefined || view.hasSeveralZones()) return null;
  const { name } = view.timesOf(first).zone;
  return name.slice(name.lastIndexOf("/") + 1).replaceAll("_", " ");
}
