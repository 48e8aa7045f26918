import type { Timestamp } from "../runtime/clock.ts";
import type { TypedTime } from "./read-time.ts";
import { dayOf, fromWholeDay, toWholeDay } from "./whole-day.ts";
import type { LocalDate, Zone } from "./zone.ts";

/** From one time until another, both included. A day contains its whole-day jobs and the jobs at its times. */
export interface Span {
  from: TypedTime | null;
  to: TypedTime | null;
}

export function spanOf(day: LocalDate): Span {
  return { from: { day }, to: { day } };
}

export function isWithin(planned: Timestamp, { from, to }: Span, zone: Zone): boolean {
  return (
    (from === null || compare(planned, from, zone) >= 0) && (to === null || compare(planned, to, zone) <= 0)
  );
}

/** A day and a moment compare by their days. */
function compare(planned: Timestamp, time: TypedTime, zone: Zone): number {
  if ("day" in time) return order(dayOf(planned, zone), time.day);
  const day = toWholeDay(planned);
  return day === null ? order(planned, time.moment) : order(day, zone.dateOf(time.moment));
}

const order = (one: string, other: string) => (one < other ? -1 : Number(one > other));

export interface StoredBounds {
  /** No value outside of these bounds is in the span. */
  outer: Bounds;
  /** Every value inside of these bounds is in the span. */
  inner: Bounds | null;
}

interface Bounds {
  first: Timestamp | null;
  last: Timestamp | null;
}

export function toStoredBounds({ from, to }: Span, zones: readonly Zone[]): StoredBounds {
  const firsts = from === null ? [] : zones.map((zone) => toFirsts(from, zone));
  const lasts = to === null ? [] : zones.map((zone) => toLasts(to, zone));
  const outer = {
    first: least(firsts.map(({ outer }) => outer)),
    last: most(lasts.map(({ outer }) => outer)),
  };
  const inner = {
    first: most(firsts.map(({ inner }) => inner)),
    last: least(lasts.map(({ inner }) => inner)),
  };
  const isEmpty = inner.first !== null && inner.last !== null && inner.first > inner.last;
  return { outer, inner: isEmpty ? null : inner };
}

/** The stored whole day (midnight UTC) is before the day's first moment in America, and after it in Asia. */
function toFirsts(from: TypedTime, zone: Zone) {
  const [day, moment] =
    "day" in from ? [from.day, zone.startOf(from.day)] : [zone.dateOf(from.moment), from.moment];
  const whole = fromWholeDay(day);
  return { outer: whole < moment ? whole : moment, inner: moment };
}

/** The next whole day is outside of the span. */
function toLasts(to: TypedTime, zone: Zone) {
  const [day, moment] = "day" in to ? [to.day, zone.endOf(to.day)] : [zone.dateOf(to.moment), to.moment];
  const whole = fromWholeDay(day);
  const beforeNext = `${day}T23:59:59.999999`;
  return { outer: whole > moment ? whole : moment, inner: beforeNext < moment ? beforeNext : moment };
}

const least = (times: readonly Timestamp[]) => times.toSorted(order)[0] ?? null;

const most = (times: readonly Timestamp[]) => times.toSorted(order).at(-1) ?? null;
