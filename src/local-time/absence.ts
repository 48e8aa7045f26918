import type { Absence } from "../models/absence.ts";
import { sayDay, type TimeView } from "./show-time.ts";
import { dayOf } from "./whole-day.ts";
import type { LocalDate, Zone } from "./zone.ts";

export function isOffOn(absence: Absence, day: LocalDate, zone: Zone): boolean {
  const { off_from } = absence;
  return (!off_from || dayOf(off_from, zone) <= day) && isOffFrom(absence, day, zone);
}

/** Also true for an absence that starts after the day. */
export function isOffFrom({ off_from, off_until }: Absence, day: LocalDate, zone: Zone): boolean {
  return off_until ? dayOf(off_until, zone) >= day : Boolean(off_from);
}

/** `off today (sick)`, `off Mon Nov 30 – Wed Dec 2`, `off until Fri Dec 4`, `off from tomorrow on`. */
export function sayAbsence(
  { off_from, off_reason, off_until }: Absence,
  view: TimeView,
  word: "off" | "out of service" = "off",
): string {
  const toDay = (time: string | null) => (time ? dayOf(time, view.zone) : null);
  const days = toSpan(toDay(off_from), toDay(off_until), view);
  return [word, days, off_reason && `(${off_reason})`].filter(Boolean).join(" ");
}

function toSpan(from: LocalDate | null, until: LocalDate | null, view: TimeView): string {
  const say = (day: LocalDate) => sayDay(day, view);
  const isBegun = from === null || from <= view.today;
  if (until === null) return isBegun ? "" : `from ${say(from)} on`;
  if (isBegun) return until === view.today ? "today" : `until ${say(until)}`;
  return from === until ? say(from) : `${say(from)} – ${say(until)}`;
}
