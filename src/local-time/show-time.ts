import type { Timestamp } from "../runtime/clock.ts";
import type { Clock } from "./usual-clock.ts";
import { dayOf, toWholeDay } from "./whole-day.ts";
import { addDays, type LocalDate, type LocalMoment, weekdayOf, type Zone } from "./zone.ts";

export interface TimeView {
  zone: Zone;
  /** A shown day of another year has its year. */
  today: LocalDate;
}

/** `Mon Aug 3`, with the year if it is another one. */
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

type Hour = Pick<LocalMoment, "hour" | "minute">;

/** `8:00 am` on a 12-hour clock, `8:00` on a 24-hour clock. */
export function showTimeOfDay(time: Hour, { clock }: Pick<Zone, "clock">): string {
  return clock === "12h" ? `${showHour(time, clock)} ${halfOf(time)}` : showHour(time, clock);
}

function showHour({ hour, minute }: Hour, clock: Clock): string {
  const shown = clock === "12h" ? hour % 12 || 12 : hour;
  return `${shown}:${String(minute).padStart(2, "0")}`;
}

const halfOf = ({ hour }: Hour) => (hour < 12 ? "am" : "pm");

/** `Mon Aug 3 8:00 am`. */
export function showMoment(moment: Timestamp, view: TimeView): string {
  const local = view.zone.toLocal(moment);
  return `${showDay(local.date, view)} ${showTimeOfDay(local, view.zone)}`;
}

/** `Mon Aug 3` for a whole day, else `Mon Aug 3 8:00`. */
export function showDayOrMoment(moment: Timestamp, view: TimeView): string {
  const day = toWholeDay(moment);
  return day === null ? showMoment(moment, view) : showDay(day, view);
}

/** Like `showDayOrMoment`, with `today`, `tomorrow`, and `yesterday`. */
export function sayDayOrMoment(moment: Timestamp, view: TimeView): string {
  const day = toWholeDay(moment);
  if (day !== null) return sayDay(day, view);
  const local = view.zone.toLocal(moment);
  return `${sayDay(local.date, view)} ${showTimeOfDay(local, view.zone)}`;
}

/** `8:00–10:00 am`, `from 8:00 am`, `until 10:00`, with days that differ from the current one. */
export function showWindow(
  { end, start }: { start: Timestamp | null; end: Timestamp | null },
  date: LocalDate | null,
  view: TimeView,
): string {
  const from = start === null ? null : showEnd(start, date, view);
  const to = end === null ? null : showEnd(end, from?.local.date ?? date, view);
  if (from && to) {
    if (to.hasDay) return `${from.text} – ${to.text}`;
    const isShort = view.zone.clock === "12h" && start !== end && halfOf(from.local) === halfOf(to.local);
    return `${isShort ? from.text.slice(0, -" am".length) : from.text}–${to.text}`;
  }
  if (from) return `from ${from.text}`;
  return to ? `until ${to.text}` : "";
}

function showEnd(moment: Timestamp, spoken: LocalDate | null, view: TimeView) {
  const local = view.zone.toLocal(moment);
  const time = showTimeOfDay(local, view.zone);
  const hasDay = local.date !== spoken;
  return { hasDay, local, text: hasDay ? `${showDay(local.date, view)} ${time}` : time };
}

/**
 * The planned time of a job: `Mon Aug 3 8:00–10:00`, or `wanted 8:00–10:00` without a date. `moment` is null where the text
 * names no time of day.
 */
export function showPlanned(
  { end, scheduled, start }: Record<"end" | "scheduled" | "start", Timestamp | null>,
  view: TimeView,
  say = showDay,
): { text: string; moment: Timestamp | null } {
  const moment = start ?? end;
  if (scheduled === null) {
    const wanted = showWindow({ start, end }, null, view);
    return { text: wanted === "" ? "" : `wanted ${wanted}`, moment };
  }
  const date = dayOf(scheduled, view.zone);
  const day = say(date, view);
  if (moment !== null) return { text: `${day} ${showWindow({ start, end }, date, view)}`, moment };
  if (toWholeDay(scheduled) !== null) return { text: day, moment };
  return { text: `${day} ${showTimeOfDay(view.zone.toLocal(scheduled), view.zone)}`, moment: scheduled };
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
