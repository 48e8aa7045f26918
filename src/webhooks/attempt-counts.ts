import { TimeCounts } from "../runtime/time-counts.ts";
import { type AttemptOutcome, isSuccess } from "./attempt-outcome.ts";

/** In seconds: how long receivers take. */
const attemptBounds = [0.05, 0.25, 1, 5, 15, 30];

/** Counts the attempts of a worker. */
export class AttemptCounts {
  readonly outcomes = new Map<string, number>([["delivered", 0]]);
  readonly durations = new TimeCounts(attemptBounds);

  note(outcome: AttemptOutcome): void {
    const name = toOutcomeName(outcome);
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
    this.durations.addMs(outcome.durationMs);
  }
}

/** `delivered`, the class of another status, such as `http_5xx`, or why no status came. */
function toOutcomeName(outcome: AttemptOutcome): string {
  if (isSuccess(outcome)) return "delivered";
  return outcome.kind === "failed" ? outcome.reason : `http_${Math.floor(outcome.status / 100)}xx`;
}
