import { setTimeout as pause } from "node:timers/promises";
import { hiddenValue } from "../models/own-headers.ts";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { DeliveryOutcome } from "../store/queries/deliveries-finish.ts";
import type { AttemptEntry } from "../store/queries/delivery-attempts.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import { type AttemptOutcome, isSuccess, toHttpStatus, toMessage } from "./attempt-outcome.ts";
import type { DeliveryService } from "./delivery-service.ts";
import { failedMessagesMin, failingMsMax, planRetry } from "./retry.ts";
import type { HookRequest } from "./send.ts";

/** An attempt that was made: the next one of its delivery. */
export interface SentAttempt {
  due: DueDelivery;
  request: HookRequest;
  startedOn: Timestamp;
  outcome: AttemptOutcome;
}

/** What recording an attempt led to, for the log. */
export interface RecordedAttempt {
  status: DeliveryOutcome["status"];
  nextAttemptOn: Timestamp | null;
  /** Why this attempt deactivated the webhook; null unless it did. */
  disabledBecause: string | null;
}

/** Records an attempt of a tenant; resolves when it is committed. */
export type Recorder = (tenantId: number, sent: SentAttempt) => Promise<RecordedAttempt>;

interface Waiting {
  sent: SentAttempt;
  resolve(recorded: RecordedAttempt): void;
  reject(error: unknown): void;
}

/** How long an ended attempt waits for others to share its transaction. Nothing needs the record sooner. */
const gatherMs = 10;
/** An unrecorded success would be sent twice, so recording is tried again. All tries fit into a lease. */
const triesMax = 4;
const againAfterMs = 2_000;

/** Makes a recorder. A tenant's attempts that end at nearly the same time share a transaction: commits are costly. */
export function createRecorder(service: DeliveryService): Recorder {
  const waiting = new Map<number, Waiting[]>();
  const random = () => Buffer.from(service.randomBytes(4)).readUInt32BE() / 2 ** 32;

  // Relaxed: an attempt whose record a power cut loses is made again. At least once is the promise.
  const write = (tenantId: number, batch: readonly Waiting[]) =>
    service.store.writeRelaxed({ tenantId, rowScopes: wholeTenant }, (tenant) => {
      const attempts = batch.map(({ sent }) => sent);
      const machineTime = service.machineClock.now();
      return recordAttempts(tenant, attempts, { now: service.clock.now(), machineTime, random });
    });

  async function commit(tenantId: number, waiting: readonly Waiting[]): Promise<void> {
    // All workers write webhooks in the same order, so that no two of them deadlock.
    const batch = waiting.toSorted((a, b) => a.sent.due.hook.id - b.sent.due.hook.id);
    for (let left = triesMax - 1; ; left -= 1) {
      try {
        const recorded = await write(tenantId, batch);
        for (const [index, result] of recorded.entries()) batch[index]?.resolve(result);
        return;
      } catch (error) {
        if (left === 0) {
          for (const { reject } of batch) reject(error);
          return;
        }
      }
      await pause(againAfterMs);
    }
  }

  async function commitAll(tenantId: number): Promise<void> {
    for (;;) {
      await pause(gatherMs);
      const batch = waiting.get(tenantId)?.splice(0) ?? [];
      if (batch.length === 0) break;
      await commit(tenantId, batch);
    }
    waiting.delete(tenantId);
  }

  return (tenantId, sent) =>
    new Promise((resolve, reject) => {
      const entry = { sent, resolve, reject };
      const others = waiting.get(tenantId);
      if (others) others.push(entry);
      else {
        waiting.set(tenantId, [entry]);
        void commitAll(tenantId);
      }
    });
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
 * deactivation of a webhook that failed for 5 days or answered 410. Must be called in a transaction. Writes a
 * webhook before its deliveries, in the same order as the operation that deactivates webhooks: in opposite orders, two
 * transactions could deadlock.
 */
export async function recordAttempts(
  store: TenantStore,
  attempts: readonly SentAttempt[],
  moment: RecordingTime,
): Promise<RecordedAttempt[]> {
  const entries = attempts.map((sent) => toLogEntry(sent.due.id, sent.due.attempt + 1, sent));
  await store.dueDeliveries.addAttempts(entries);
  const taken = attempts.filter(({ outcome }) => isSuccess(outcome));
  // First the successes: a failure may cancel all that is pending.
  await recordTaken(store, taken, moment.now);
  const recorded: RecordedAttempt[] = [];
  for (const sent of attempts) {
    recorded.push(isSuccess(sent.outcome) ? delivered : await recordFailed(store, sent, moment));
  }
  const ids = attempts.map(({ due }) => due.id);
  await store.dueDeliveries.unblockNext(ids, moment.now);
  return recorded;
}

const delivered: RecordedAttempt = { status: "delivered", nextAttemptOn: null, disabledBecause: null };

async function recordTaken(store: TenantStore, taken: readonly SentAttempt[], now: Timestamp): Promise<void> {
  const hookIds = new Set(taken.map(({ due }) => due.hook.id));
  for (const hookId of hookIds) await store.hooks.recordAttempt(hookId, true, now);
  const alike = new Map<string, { due: DueDelivery[]; result: ReturnType<typeof toResult> }>();
  for (const { due, outcome } of taken) {
    const result = toResult(due.attempt + 1, outcome);
    const key = `${result.attempt} ${result.httpStatus}`;
    const group = alike.get(key) ?? { due: [], result };
    group.due.push(due);
    alike.set(key, group);
  }
  for (const { due, result } of alike.values()) await store.dueDeliveries.finishTaken(due, result, now);
}

async function recordFailed(
  store: TenantStore,
  { due, outcome }: SentAttempt,
  { now, machineTime, random }: RecordingTime,
): Promise<RecordedAttempt> {
  const result = toResult(due.attempt + 1, outcome);
  const retryAfter = outcome.kind === "answered" ? (outcome.headers["retry-after"] ?? null) : null;
  const { attempt, httpStatus: status } = result;
  const next = planRetry({ attempt, status, retryAfter, machineTime }, now, random);
  const { failingSince, isActive } = await store.hooks.recordFailedDelivery(due.hook.id, now);
  const nextAttemptOn = next.kind === "retry" ? next.at : next.kind === "disable" ? now : null;
  const state = nextAttemptOn === null ? "failed" : "pending";
  await store.dueDeliveries.finish(due, result, { status: state, nextAttemptOn, at: now });
  const reason =
    next.kind === "disable"
      ? "The receiver answered 410: it wants no more deliveries."
      : await findReasonToDisable(store, due.hook.id, failingSince, now);
  if (reason === null && isActive) return { status: state, nextAttemptOn, disabledBecause: null };
  if (isActive) await store.hooks.deactivate(due.hook.id, now, reason);
  // This delivery is cancelled like the others, so that enabling the webhook again can resume all of them.
  await store.dueDeliveries.cancelPending(due.hook.id, now);
  const disabledBecause = isActive ? reason : null;
  return { status: state === "failed" ? state : "cancelled", nextAttemptOn: null, disabledBecause };
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

/** The attempt as the delivery log keeps it, bodies to 16 KiB. */
export function toLogEntry(
  deliveryId: number,
  attempt: number,
  { request, startedOn, outcome }: Omit<SentAttempt, "due">,
): AttemptEntry {
  return {
    ...toResult(attempt, outcome),
    deliveryId,
    durationMs: outcome.durationMs,
    request: { url: request.url, headers: toShownHeaders(request), body: cut(request.body) },
    response: outcome.kind === "answered" ? { headers: outcome.headers, body: cut(outcome.body) } : null,
    startedOn,
  };
}

const toResult = (attempt: number, outcome: AttemptOutcome) => ({
  attempt,
  httpStatus: toHttpStatus(outcome),
  message: toMessage(outcome),
});

/** The values of a webhook's own headers are secret. */
function toShownHeaders({ headers, hiddenHeaders = [] }: HookRequest): Record<string, string> {
  return { ...headers, ...Object.fromEntries(hiddenHeaders.map((name) => [name, hiddenValue])) };
}

const loggedBytesMax = 16 * 1024;

/** The first 16 KiB, whole characters only. Its symbol replaces a NUL, which PostgreSQL cannot keep in text. */
function cut(text: string): string {
  const shown = text.includes("\0") ? text.replaceAll("\0", "␀") : text;
  if (shown.length * utf8BytesMax <= loggedBytesMax) return shown;
  const bytes = Buffer.from(shown);
  if (bytes.length <= loggedBytesMax) return shown;
  return new TextDecoder().decode(bytes.subarray(0, loggedBytesMax), { stream: true });
}

/** Bytes that a UTF-16 unit takes in UTF-8. */
const utf8BytesMax = 3;
