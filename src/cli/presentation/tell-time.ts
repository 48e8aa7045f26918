import { sayDay, showDay, showMoment, showPlanned, showTimeOfDay } from "../../local-time/show-time.ts";
import { holdsDays, toWholeDay } from "../../local-time/whole-day.ts";
import type { JsonObject } from "../../models/json.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { View } from "./view.ts";

/** In the record's zone: `Mon Aug 3 8:00`, or only the day. */
export function tellTime(field: string, record: JsonObject, view: View): string {
  const moment = toMoment(record[field]);
  return moment === null ? "" : tellTimeOf(moment, field, record, view);
}

export function tellTimeOf(moment: Timestamp, field: string, record: JsonObject, view: View): string {
  const times = view.timesOf(record);
  const day = holdsDays(field) ? toWholeDay(moment) : null;
  if (day !== null) return showDay(day, times);
  return withZone(showMoment(moment, times), moment, record, view);
}

/** For a sentence: `14:05`, `yesterday 14:05`. */
export function tellMoment(field: string, record: JsonObject, view: View): string {
  const moment = toMoment(record[field]);
  if (moment === null) return "";
  const times = view.timesOf(record);
  const { date, ...time } = times.zone.toLocal(moment);
  const day = date === times.today ? "" : `${sayDay(date, times)} `;
  return withZone(`${day}${showTimeOfDay(time, times.zone)}`, moment, record, view);
}

function withZone(text: string, moment: Timestamp, record: JsonObject, view: View): string {
  return view.hasSeveralZones() ? `${text} ${view.timesOf(record).zone.abbreviationAt(moment)}` : text;
}

/** `Mon Aug 3 8:00–10:00`; `isSpoken` allows "tomorrow". */
export function tellWhen(job: JsonObject, view: View, isSpoken = false): string {
  const planned = {
    scheduled: toMoment(job.schedule_date),
    start: toMoment(job.desired_start_time),
    end: toMoment(job.desired_end_time),
  };
  const { moment, text } = showPlanned(planned, view.timesOf(job), isSpoken ? sayDay : showDay);
  return moment === null ? text : withZone(text, moment, job, view);
}

export function toMoment(value: unknown): Timestamp | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A table never cuts these columns. */
export const timeCells: readonly string[] = ["when"];

export function tellZone(records: readonly JsonObject[], view: View): string | null {
  const [first] = records;
  if (first === undefined || view.hasSeveralZones()) return null;
  const { name } = view.timesOf(first).zone;
  return name.slice(name.lastIndexOf("/") + 1).replaceAll("_", " ");
}
