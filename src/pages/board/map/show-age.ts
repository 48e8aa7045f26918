import { type Timestamp, toEpochMs } from "../../../runtime/clock.ts";

/** How long ago a moment was, in the largest unit that it fills: `4 min`; `now` within the last minute, or ahead. */
export function showAge(moment: Timestamp, now: Timestamp): string {
  const minutes = Math.floor((toEpochMs(now) - toEpochMs(moment)) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  const days = Math.floor(minutes / (24 * 60));
  return `${days} ${days === 1 ? "day" : "days"}`;
}

/** The same in a sentence of a truck that was somewhere then. */
export function sayAge(moment: Timestamp, now: Timestamp): string {
  const age = showAge(moment, now);
  return age === "now" ? "here now" : `here ${age} ago`;
}
