import { TimeCounts } from "../runtime/time-counts.ts";
import { type AttemptOutcome, isSuccess, toHttpStatus, toMessage } from "./attempt-outcome.ts";
import type { PruneLog } from "./prune.ts";
import type { RecordedAttempt, SentAttempt } from "./record-attempts.ts";

export interface WorkerLog extends PruneLog {
  attempt(line: AttemptLine): void;
  fault(error: unknown): void;
}

export interface AttemptLine {
  tenant_id: number;
  hook_id: number;
  /** The receiver knows these two ids. */
  delivery_id: string;
  event_id: string;
  trace_id: string | null;
  kind: string;
  action: string;
  record_id: number;
  attempt: number;
  /** The receiver's status; −1 without a response. */
  status: number;
  duration_ms: number;
  message: string;
  state: RecordedAttempt["status"];
  next_attempt_on: string | null;
  disabled_because?: string;
}

export function toAttemptLine(
  tenantId: number,
  { due, outcome }: SentAttempt,
  { status, nextAttemptOn, disabledBecause }: RecordedAttempt,
): AttemptLine {
  return {
    tenant_id: tenantId,
    hook_id: due.hook.id,
    delivery_id: due.uuid,
    event_id: due.event.uuid,
    trace_id: due.event.trace?.id ?? null,
    kind: due.event.kind,
    action: due.event.action,
    record_id: due.event.recordId,
    attempt: due.attempt + 1,
    status: toHttpStatus(outcome),
    duration_ms: outcome.durationMs,
    message: toMessage(outcome),
    state: status,
    next_attempt_on: nextAttemptOn,
    ...(disabledBecause !== null && { disabled_because: disabledBecause }),
  };
}

/** In seconds. */
const attemptBounds = [0.05, 0.25, 1, 5, 15, 30];

export class AttemptCounts {
  readonly outcomes = new Map<string, number>([["delivered", 0]]);
  readonly durations = new TimeCounts(attemptBounds);

  note(outcome: AttemptOutcome): void {
    const name = toOutcomeName(outcome);
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
    this.durations.addMs(outcome.durationMs);
  }
}

/** `delivered`, a status class such as `http_5xx`, or the reason of a failure. */
function toOutcomeName(outcome: AttemptOutcome): string {
  if (isSuccess(outcome)) return "delivered";
  return outcome.kind === "failed" ? outcome.reason : `http_${Math.floor(outcome.status / 100)}xx`;
}
