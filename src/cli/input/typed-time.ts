import { DispatchError } from "../../errors/errors.ts";
import { dateOrderOf } from "../../local-time/date-order.ts";
import { readTime, type TypedAt, type TypedTime } from "../../local-time/read-time.ts";
import { type LocalDate, utc, type Zone } from "../../local-time/zone.ts";
import { systemClock, type Timestamp } from "../../runtime/clock.ts";
import type { CliContext } from "../context.ts";
import { say } from "../output/tell.ts";
import type { Settings } from "../settings.ts";

/** What a day's argument takes, for the help. */
export const dayForms =
  "today (the default), tomorrow, fri, 12/1, +1 and the like, or a date like 2026-12-01";

/** How times are understood in a zone: in the order of its country, unless --date-order says another. */
export function toTypedAt({ dateOrder }: Pick<Settings, "dateOrder">, zone: Zone, now: Timestamp): TypedAt {
  return { zone, now, order: dateOrder ?? dateOrderOf(zone) };
}

/** A time that was understood; `note` says how, where it could have been meant otherwise. */
export interface Typed<T> {
  time: T;
  note: string | null;
}

/** Understands a time that somebody typed for an option or argument, which `name` names. Throws invalid_date for none. */
export function readTyped(text: string, at: TypedAt, name: string): Typed<TypedTime> {
  const understood = readTime(text, at);
  if ("refusal" in understood) throw refuse(text, name, understood.refusal);
  return understood;
}

/** Understands a day in the same way, by default today; a moment stands for its day. */
export function readTypedDay(text: string | undefined, at: TypedAt, name: string): Typed<LocalDate> {
  if (text === undefined) return { time: at.zone.dateOf(at.now), note: null };
  const { time, note } = readTyped(text, at, name);
  return { time: "day" in time ? time.day : at.zone.dateOf(time.moment), note };
}

/** Says on stderr how a time was read that could have been meant otherwise. */
export function tellRead({ stderr }: CliContext, note: string | null): void {
  if (note !== null) say(stderr, note);
}

/** Throws invalid_date for what is no time in any zone: before a target is opened, and anything asked. */
export function requireTime(text: string, name: string): void {
  const understood = readTime(text, { zone: utc, now: systemClock.now(), order: "mdy" });
  if ("refusal" in understood) throw refuse(text, name, understood.refusal);
}

function refuse(text: string, name: string, refusal: string) {
  const detail = `${name} "${text}" ${refusal}.`;
  return new DispatchError([{ code: "invalid_date", detail, field: null, fix }]);
}

const fix = "`dispatch-cli help times` shows how times are typed, and what each means now.";
