import type { Timestamp } from "../runtime/clock.ts";
import { toWholeDay } from "./whole-day.ts";
import { addDays, type LocalDate, type LocalMoment, weekdayOf, type Zone } from "./zone.ts";

/** The zone and the current day of the reader. */
export interface TimeView {
  zone: Zone;
  /** Texts name the year of other years only. */
  today: LocalDate;
}

/** `Mon Aug 3`, with the year when it is not this one. */
export function showDay(date: LocalDate, { today }: Pick<TimeView, "today">): string {
  const [year, month, day] = date.split("-").map(Number);
  const named = `${weekdays[weekdayOf(date)]} ${months[(month ?? 1) - 1]} ${day}`;
  return date.slice(0, 4) === today.slice(0, 4) ? named : `${named} ${year}`;
}

/** `today`, `tomorrow`, `yesterday`, else like `showDay`. */
export function sayDay(date: LocalDate, view: Pick<TimeView, "today">): string {
  if (date === view.today) return "today";
  if (date === addDays(view.today, 1)) return "tomorrow";
  if (date === addDays(view.today, -1)) return "yesterday";
  return showDay(date, view);
}

/** `8:00`. */
export function showTimeOfDay({ hour, minute }: Pick<LocalMoment, "hour" | "minute">): string {
  return `${hour}:${String(minute).padStart(2, "0")}`;
}

/** `Mon Aug 3 8:00`. */
export function showMoment(moment: Timestamp, view: TimeView): string {
  const local = view.zone.toLocal(moment);
  return `${showDay(local.date, view)} ${showTimeOfDay(local)}`;
}

/** `Mon Aug 3` for a whole day, else `Mon Aug 3 8:00`. */
export function showDayOrMoment(moment: Timestamp, view: TimeView): string {
  const day = toWholeDay(moment);
  return day === null ? showMoment(moment, view) : showDay(day, view);
}

/** `today`, `tomorrow`, or `yesterday` in place of a near day: `tomorrow 8:00`. */
export function sayDayOrMoment(moment: Timestamp, view: TimeView): string {
  const day = toWholeDay(moment);
  if (day !== null) return sayDay(day, view);
  const local = view.zone.toLocal(moment);
  return `${sayDay(local.date, view)} ${showTimeOfDay(local)}`;
}

/** `8:00–10:00`, `from 8:00`, `until 10:00`, with the days when they differ from the current one. */
export function showWindow(
  { end, start }: { start: Timestamp | null; end: Timestamp | null },
  date: LocalDate | null,
  view: TimeView,
): string {
  const show = (moment: Timestamp, spoken: LocalDate | null) => {
    const local = view.zone.toLocal(moment);
    const time = showTimeOfDay(local);
    return { date: local.date, text: local.date === spoken ? time : `${showDay(local.date, view)} ${time}` };
  };
  const from = start === null ? null : show(start, date);
  const to = end === null ? null : show(end, from?.date ?? date);
  if (from && to) return to.text.includes(" ") ? `${from.text} – ${to.text}` : `${from.text}–${to.text}`;
  if (from) return `from ${from.text}`;
  return to ? `until ${to.text}` : "";
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
