import { type Timestamp, toEpochMs } from "../clock.ts";
import type { DeliveryOutcome } from "../store/queries/deliveries-due.ts";
import type { TenantStore } from "../store/store.ts";
import { isSuccess, type SentAttempt, toLogEntry } from "./deliver.ts";
import { planRetry } from "./retry.ts";

/** What was made of an attempt: told in the log. */
export interface RecordedAttempt {
  status: DeliveryOutcome["status"];
  nextAttemptOn: Timestamp | null;
  /** Why the webhook was deactivated by this attempt; null unless it was. */
  disabledBecause: string | null;
}

/** When attempts are recorded, and the chance that spreads the next ones. */
interface Moment {
  now: Timestamp;
  /** What a date in an answer is compared with. */
  machineTime: Timestamp;
  /** Numbers from 0 to 1. */
  random: () => number;
}

/** What the attempts of one transaction have in common. */
interface Recording extends Moment {
  /** Webhooks whose last attempt of this transaction was taken: their times need no writing again. */
  wellHooks: Set<number>;
}

const failingMsMax = 5 * 24 * 60 * 60 * 1000;
const failedMessagesMin = 10;

/**
 * Writes attempts and all that follows from them: the log, the deliveries' states, the webhooks' times, and the
 * deactivation of a webhook that has only failed for 5 days or asked for it with 410 (OP-77). To be called in a
 * transaction. A webhook is written before its deliveries, as whoever deactivates it does: the other way round two could
 * wait for each other.
 */
export async function recordAttempts(
  store: TenantStore,
  attempts: readonly SentAttempt[],
  moment: Moment,
): Promise<RecordedAttempt[]> {
  const recording = { ...moment, wellHooks: new Set<number>() };
  const recorded: RecordedAttempt[] = [];
  for (const sent of attempts) recorded.push(await recordAttempt(store, sent, recording));
  const ids = attempts.map(({ due }) => due.id);
  await store.dueDeliveries.letFollow(ids, moment.now);
  return recorded;
}

async function recordAttempt(
  store: TenantStore,
  sent: SentAttempt,
  { now, machineTime, random, wellHooks }: Recording,
): Promise<RecordedAttempt> {
  const { due, attempt, outcome } = sent;
  const entry = toLogEntry(due.id, sent);
  await store.dueDeliveries.addAttempt(entry);
  const finish = (status: DeliveryOutcome["status"], nextAttemptOn: Timestamp | null = null) =>
    store.dueDeliveries.finish(due, entry, { status, nextAttemptOn, at: now });

  if (isSuccess(outcome)) {
    if (!wellHooks.has(due.hook.id)) await store.hooks.recordAttempt(due.hook.id, true, now);
    wellHooks.add(due.hook.id);
    await finish("delivered");
    return { status: "delivered", nextAttemptOn: null, disabledBecause: null };
  }

  const retryAfter = outcome.kind === "answered" ? (outcome.headers["retry-after"] ?? null) : null;
  const failed = { attempt, status: entry.httpStatus, retryAfter, machineTime };
  const next = planRetry(failed, now, random);
  wellHooks.delete(due.hook.id);
  const { failingSince, isActive } = await store.hooks.recordFailedDelivery(due.hook.id, now);
  const nextAttemptOn = next.kind === "retry" ? next.at : next.kind === "disable" ? now : null;
  const status = nextAttemptOn === null ? "failed" : "pending";
  await finish(status, nextAttemptOn);
  const reason =
    next.kind === "disable"
      ? "The receiver answered 410: it wants no more deliveries."
      : await findReasonToDisable(store, due.hook.id, failingSince, now);
  if (reason === null && isActive) return { status, nextAttemptOn, disabledBecause: null };
  if (isActive) await store.hooks.deactivate(due.hook.id, now, reason);
  // This one with the others, so that whoever enables the webhook again can have them all sent.
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
