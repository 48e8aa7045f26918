import type { Timestamp } from "../runtime/clock.ts";
import type { TypedTime } from "./read-time.ts";
import { dayOf, fromWholeDay, toWholeDay } from "./whole-day.ts";
import type { LocalDate, Zone } from "./zone.ts";

/**
 * What is planned from one time until another, both included. A whole day counts by its day, a moment by itself: Friday
 * holds the jobs of that day and those planned for a moment of it at their location. null leaves an end open.
 */
export interface Span {
  from: TypedTime | null;
  to: TypedTime | null;
}

/** The span of one day. */
export function spanOf(day: LocalDate): Span {
  return { from: { day }, to: { day } };
}

/** Whether something lies in a span that is planned for a whole day or a moment, in the zone of its place. */
export function isWithin(planned: Timestamp, { from, to }: Span, zone: Zone): boolean {
  return (
    (from === null || compare(planned, from, zone) >= 0) && (to === null || compare(planned, to, zone) <= 0)
  );
}

/** Whole days and moments have their day in common. */
function compare(planned: Timestamp, time: TypedTime, zone: Zone): number {
  if ("day" in time) return order(dayOf(planned, zone), time.day);
  const day = toWholeDay(planned);
  return day === null ? order(planned, time.moment) : order(day, zone.dateOf(time.moment));
}

const order = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Between which values stored times lie in a span, both included; the interface compares stored times. */
export interface StoredBounds {
  /** No value outside of them is in the span. */
  outer: Bounds;
  /** Every value inside of them is in the span; null when there are none. */
  inner: Bounds | null;
}

interface Bounds {
  first: Timestamp | null;
  last: Timestamp | null;
}

/** The bounds of a span for things in the given zones, of which there is at least one. */
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

/** Where a span begins: in America the whole day is stored before the first moment of the day, in Asia after it. */
function toFirsts(from: TypedTime, zone: Zone) {
  const [day, moment] =
    "day" in from ? [from.day, zone.startOf(from.day)] : [zone.dateOf(from.moment), from.moment];
  const whole = fromWholeDay(day);
  return { outer: whole < moment ? whole : moment, inner: moment };
}

/** Where a span ends: the whole day that comes next is out of it. */
function toLasts(to: TypedTime, zone: Zone) {
  const [day, moment] = "day" in to ? [to.day, zone.endOf(to.day)] : [zone.dateOf(to.moment), to.moment];
  const whole = fromWholeDay(day);
  const beforeNext = `${day}T23:59:59.999999`;
  return { outer: whole > moment ? whole : moment, inner: beforeNext < moment ? beforeNext : moment };
}

const least = (times: readonly Timestamp[]) => times.toSorted(order)[0] ?? null;

const most = (times: readonly Timestamp[]) => times.toSorted(order).at(-1) ?? null;
