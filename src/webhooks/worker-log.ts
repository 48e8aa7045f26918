import type { SentAttempt } from "./attempt.ts";
import { toHttpStatus, toMessage } from "./attempt-outcome.ts";
import type { PruneLog } from "./prune.ts";
import type { RecordedAttempt } from "./record-attempts.ts";

/** Where a worker reports what happens. */
export interface WorkerLog extends PruneLog {
  attempt(line: AttemptLine): void;
  /** Something of the program or of the store failed; the worker goes on. */
  fault(error: unknown): void;
}

/** One line of the log: an attempt and what came of it. */
export interface AttemptLine {
  tenant_id: number;
  hook_id: number;
  /** Of these two the ids that a receiver is told. */
  delivery_id: string;
  event_id: string;
  /** Of the request that made the event. */
  trace_id: string | null;
  kind: string;
  action: string;
  record_id: number;
  attempt: number;
  /** Of the receiver's answer; -1 without one. */
  status: number;
  duration_ms: number;
  message: string;
  /** What the delivery is now. */
  state: RecordedAttempt["status"];
  next_attempt_on: string | null;
  /** Why the webhook was deactivated; absent unless it was. */
  disabled_because?: string;
}

/** The line of an attempt that was recorded. */
export function toAttemptLine(
  tenantId: number,
  { due, attempt, outcome }: SentAttempt,
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
    attempt,
    status: toHttpStatus(outcome),
    duration_ms: outcome.durationMs,
    message: toMessage(outcome),
    state: status,
    next_attempt_on: nextAttemptOn,
    ...(disabledBecause !== null && { disabled_because: disabledBecause }),
  };
}
