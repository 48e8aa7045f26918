import type { Timestamp } from "../runtime/clock.ts";
import type { TypedTime } from "./read-time.ts";
import { dayOf, fromWholeDay, toWholeDay } from "./whole-day.ts";
import type { LocalDate, Zone } from "./zone.ts";

/**
 * From one time until another, both included. A day contains its whole-day jobs and the jobs of its moments at their
 * location. null leaves an end open.
 */
export interface Span {
  from: TypedTime | null;
  to: TypedTime | null;
}

export function spanOf(day: LocalDate): Span {
  return { from: { day }, to: { day } };
}

/** Whether a planned day or moment is in the span, in the zone of its place. */
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

/** The bounds of stored times in a span, both included; the interface filters by stored times. */
export interface StoredBounds {
  /** No value outside of them is in the span. */
  outer: Bounds;
  /** Every value inside of them is in the span; null when no such value exists. */
  inner: Bounds | null;
}

interface Bounds {
  first: Timestamp | null;
  last: Timestamp | null;
}

/** The bounds of a span for records in at least one zone. */
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

/** In America the store puts a whole day before the first moment of the day, in Asia after it. */
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
