import type { SentAttempt } from "./attempt.ts";
import { toHttpStatus, toMessage } from "./attempt-outcome.ts";
import type { RecordedAttempt } from "./record-attempts.ts";

/** Where a worker reports what happens. */
export interface WorkerLog {
  attempt(line: AttemptLine): void;
  /** Something of the program or of the store failed; the worker goes on. */
  fault(error: unknown): void;
}

/** One line of the log: an attempt and what came of it. */
export interface AttemptLine {
  tenant: number;
  hook: number;
  delivery: string;
  event: string;
  kind: string;
  action: string;
  record: number;
  attempt: number;
  http_status: number;
  ms: number;
  message: string;
  /** What the delivery is now. */
  status: RecordedAttempt["status"];
  next_attempt_on: string | null;
  /** Why the webhook was deactivated; absent unless it was. */
  disabled?: string;
}

/** The line of an attempt that was recorded. */
export function toAttemptLine(
  tenant: number,
  { due, attempt, outcome }: SentAttempt,
  { status, nextAttemptOn, disabledBecause }: RecordedAttempt,
): AttemptLine {
  return {
    tenant,
    hook: due.hook.id,
    delivery: due.uuid,
    event: due.event.uuid,
    kind: due.event.kind,
    action: due.event.action,
    record: due.event.recordId,
    attempt,
    http_status: toHttpStatus(outcome),
    ms: outcome.durationMs,
    message: toMessage(outcome),
    status,
    next_attempt_on: nextAttemptOn,
    ...(disabledBecause !== null && { disabled: disabledBecause }),
  };
}
