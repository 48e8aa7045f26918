import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import type { DeliveryOutcome } from "../store/queries/deliveries-finish.ts";
import type { AttemptEntry } from "../store/queries/delivery-attempts.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import { type SentAttempt, toLogEntry } from "./attempt.ts";
import { isSuccess } from "./attempt-outcome.ts";
import { failedMessagesMin, failingMsMax, planRetry } from "./retry.ts";

/** What recording an attempt led to, for the log. */
export interface RecordedAttempt {
  status: DeliveryOutcome["status"];
  nextAttemptOn: Timestamp | null;
  /** Why the webhook was deactivated by this attempt; null unless it was. */
  disabledBecause: string | null;
}

/** When attempts are recorded, and the randomness that spreads their retries. */
interface RecordingTime {
  now: Timestamp;
  /** Dates in answers are compared with this clock. */
  machineTime: Timestamp;
  /** Numbers from 0 to 1. */
  random: () => number;
}

/**
 * Writes attempts and all that follows from them: the log, the deliveries' states, the webhooks' times, and the
 * deactivation of a webhook that failed for 5 days or answered 410 (OP-77). Must be called in a transaction. Writes a
 * webhook before its deliveries, in the same order as the operation that deactivates webhooks: in opposite orders, two
 * transactions could deadlock.
 */
export async function recordAttempts(
  store: TenantStore,
  attempts: readonly SentAttempt[],
  moment: RecordingTime,
): Promise<RecordedAttempt[]> {
  const made = attempts.map((sent) => ({ sent, entry: toLogEntry(sent.due.id, sent) }));
  await store.dueDeliveries.addAttempts(made.map(({ entry }) => entry));
  // First the successes: a failure may cancel all that is pending.
  await recordTaken(
    store,
    made.filter(({ sent }) => isSuccess(sent.outcome)),
    moment.now,
  );
  const recorded: RecordedAttempt[] = [];
  for (const one of made) {
    recorded.push(isSuccess(one.sent.outcome) ? delivered : await recordFailed(store, one, moment));
  }
  const ids = attempts.map(({ due }) => due.id);
  await store.dueDeliveries.unblockNext(ids, moment.now);
  return recorded;
}

interface Made {
  sent: SentAttempt;
  entry: AttemptEntry;
}

const delivered: RecordedAttempt = { status: "delivered", nextAttemptOn: null, disabledBecause: null };

async function recordTaken(store: TenantStore, taken: readonly Made[], now: Timestamp): Promise<void> {
  const hookIds = new Set(taken.map(({ sent }) => sent.due.hook.id));
  for (const hookId of hookIds) await store.hooks.recordAttempt(hookId, true, now);
  const alike = new Map<string, Made[]>();
  for (const one of taken) {
    const key = `${one.entry.attempt} ${one.entry.httpStatus}`;
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  for (const group of alike.values()) {
    const due = group.map(({ sent }) => sent.due);
    if (group[0]) await store.dueDeliveries.finishTaken(due, group[0].entry, now);
  }
}

async function recordFailed(
  store: TenantStore,
  { sent, entry }: Made,
  { now, machineTime, random }: RecordingTime,
): Promise<RecordedAttempt> {
  const { due, attempt, outcome } = sent;
  const retryAfter = outcome.kind === "answered" ? (outcome.headers["retry-after"] ?? null) : null;
  const failed = { attempt, status: entry.httpStatus, retryAfter, machineTime };
  const next = planRetry(failed, now, random);
  const { failingSince, isActive } = await store.hooks.recordFailedDelivery(due.hook.id, now);
  const nextAttemptOn = next.kind === "retry" ? next.at : next.kind === "disable" ? now : null;
  const status = nextAttemptOn === null ? "failed" : "pending";
  await store.dueDeliveries.finish(due, entry, { status, nextAttemptOn, at: now });
  const reason =
    next.kind === "disable"
      ? "The receiver answered 410: it wants no more deliveries."
      : await findReasonToDisable(store, due.hook.id, failingSince, now);
  if (reason === null && isActive) return { status, nextAttemptOn, disabledBecause: null };
  if (isActive) await store.hooks.deactivate(due.hook.id, now, reason);
  // This delivery is cancelled like the others, so that enabling the webhook again can resume all of them.
  await store.dueDeliveries.cancelPending(due.hook.id, now);
  const disabledBecause = isActive ? reason : null;
  return { status: status === "failed" ? status : "cancelled", nextAttemptOn: null, disabledBecause };
}

async function findReasonToDisable(
  store: TenantStore,
  hookId: number,
  failingSince: Timestamp,
  now: Timestamp,
): Promise<string | null> {
  if (toEpochMs(now) - toEpochMs(failingSince) < failingMsMax) return null;
  if (!(await store.dueDeliveries.haveFailed(hookId, failingSince, failedMessagesMin))) return null;
  return `Every delivery failed since ${failingSince}, for 5 days and ${failedMessagesMin} events or more.`;
}
