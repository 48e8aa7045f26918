import { DispatchError, throwIfAny, type Violation } from "../../errors/errors.ts";
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
  if ("refusal" in understood) throw new DispatchError([toRefusal(text, name, understood.refusal)]);
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

/** Throws invalid_date for a text that is not a time in any zone. */
export function requireTime(text: string, name: string): void {
  throwIfAny(judgeTime(text, name));
}

/** The violation of a text that is not a time in any zone: known before a target is opened. */
export function judgeTime(text: string, name: string, field: string | null = null): Violation[] {
  const understood = readTime(text, { zone: utc, now: systemClock.now(), order: "mdy" });
  return "refusal" in understood ? [{ ...toRefusal(text, name, understood.refusal), field }] : [];
}

function toRefusal(text: string, name: string, refusal: string): Violation {
  return { code: "invalid_date", detail: `${name} "${text}" ${refusal}.`, field: null, fix };
}

const fix = "`dispatch-cli help times` shows how times are typed, and what each means now.";
