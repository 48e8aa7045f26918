import { DispatchError, throwIfAny, type Violation } from "../../errors/errors.ts";
import { dateOrderOf } from "../../local-time/date-order.ts";
import { readTime, type TypedAt, type TypedTime } from "../../local-time/read-time.ts";
import { type LocalDate, utc, type Zone } from "../../local-time/zone.ts";
import { systemClock, type Timestamp } from "../../runtime/clock.ts";
import type { CliContext } from "../context.ts";
import { say } from "../output/tell.ts";
import type { Settings } from "../settings.ts";

export const dayForms =
  "today (the default), tomorrow, fri, 12/1, +1 and the like, or a date like 2026-12-01";

/** The country of the zone decides the order of numbers unless --date-order does. */
export function toTypedAt({ dateOrder }: Pick<Settings, "dateOrder">, zone: Zone, now: Timestamp): TypedAt {
  return { zone, now, order: dateOrder ?? dateOrderOf(zone) };
}

/** `note` explains the reading of an ambiguous time. */
export interface Typed<T> {
  time: T;
  note: string | null;
}

/** Throws invalid_date that begins with `name`. */
export function readTyped(text: string, at: TypedAt, name: string): Typed<TypedTime> {
  const understood = readTime(text, at);
  if ("refusal" in understood) throw new DispatchError([toRefusal(text, name, understood.refusal)]);
  return understood;
}

export function readTypedDay(text: string | undefined, at: TypedAt, name: string): Typed<LocalDate> {
  if (text === undefined) return { time: at.zone.dateOf(at.now), note: null };
  const { time, note } = readTyped(text, at, name);
  return { time: "day" in time ? time.day : at.zone.dateOf(time.moment), note };
}

export function tellRead({ stderr }: CliContext, note: string | null): void {
  if (note !== null) say(stderr, note);
}

/** Throws invalid_date for a text that is not a time in any zone. */
export function requireTime(text: string, name: string): void {
  throwIfAny(judgeTime(text, name));
}

/** Reports a text that is not a time in any zone. Needs no target. */
export function judgeTime(text: string, name: string, field: string | null = null): Violation[] {
  const understood = readTime(text, { zone: utc, now: systemClock.now(), order: "mdy" });
  return "refusal" in understood ? [{ ...toRefusal(text, name, understood.refusal), field }] : [];
}

export function toRefusal(text: string, name: string, refusal: string): Violation {
  return { code: "invalid_date", detail: `${name} "${text}" ${refusal}.`, field: null, fix };
}

const fix = "`dispatch-cli help times` lists the accepted forms.";
