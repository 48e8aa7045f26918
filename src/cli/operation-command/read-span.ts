import { failure } from "../../errors/errors.ts";
import type { TypedAt, TypedTime } from "../../local-time/read-time.ts";
import { showDay, showMoment } from "../../local-time/show-time.ts";
import type { Span } from "../../local-time/span.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { readTyped, requireTime, tellRead } from "../input/typed-time.ts";

/** Throws a usage error if --from or --to is not a time, or contradicts a filter. */
export function requireSpan(options: OptionValues): void {
  const rival = ["scheduleGt", "scheduleGte", "scheduleLt", "scheduleLte", "order", "pageAfter"].find(
    (key) => options[key] !== undefined,
  );
  if (rival !== undefined) {
    const name = rival.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw failure("usage", `--from and --to exclude --${name}.`);
  }
  for (const end of ["from", "to"])
    if (options[end] !== undefined) requireTime(String(options[end]), `--${end}`);
}

/** Either end may be open. A weekday as the end is the first one after the start. */
export function readSpan(context: CliContext, options: OptionValues, at: TypedAt): Span {
  const from = options.from === undefined ? null : readEnd(context, String(options.from), at, "--from");
  if (options.to === undefined) return { from, to: null };
  const text = String(options.to);
  const to = readEnd(context, text, at, "--to");
  if (from === null || !isReversed({ from, to }, at)) return { from, to };
  const later = weekday.test(text) ? readAfter(text, from, at) : null;
  if (later === null || isReversed({ from, to: later }, at)) throw reversed(from, to, at);
  tellRead(context, `--to ${text} was read as ${show(later, at)}`);
  return { from, to: later };
}

const weekday = /^(?:sun|mon|tue|wed|thu|fri|sat)/i;

function readEnd(context: CliContext, text: string, at: TypedAt, name: string): TypedTime {
  const read = readTyped(text, at, name);
  tellRead(context, read.note);
  return read.time;
}

/** Reads the end of a span relative to its start. */
function readAfter(text: string, from: TypedTime, at: TypedAt): TypedTime {
  const now = "day" in from ? at.zone.startOf(from.day) : from.moment;
  return readTyped(text, { ...at, now }, "--to").time;
}

function isReversed({ from, to }: Span, { zone }: TypedAt): boolean {
  if (from === null || to === null) return false;
  if ("moment" in from && "moment" in to) return from.moment > to.moment;
  const dayOf = (time: TypedTime) => ("day" in time ? time.day : zone.dateOf(time.moment));
  return dayOf(from) > dayOf(to);
}

function reversed(from: TypedTime, to: TypedTime, at: TypedAt) {
  return failure("usage", `--to (${show(to, at)}) is before --from (${show(from, at)}).`);
}

function show(time: TypedTime, { now, zone }: TypedAt): string {
  const view = { today: zone.dateOf(now), zone };
  return "day" in time ? showDay(time.day, view) : showMoment(time.moment, view);
}
