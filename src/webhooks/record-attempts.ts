import { setTimeout as pause } from "node:timers/promises";
import { hiddenValue } from "../models/own-headers.ts";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { AttemptEntry, DeliveryOutcome } from "../store/queries/deliveries-finish.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import { type AttemptOutcome, isSuccess, toHttpStatus, toMessage } from "./attempt-outcome.ts";
import type { DeliveryService } from "./delivery-service.ts";
import { failedMessagesMin, failingMsMax, planRetry } from "./retry.ts";
import type { HookRequest } from "./send.ts";

export interface SentAttempt {
  due: DueDelivery;
  request: HookRequest;
  startedOn: Timestamp;
  outcome: AttemptOutcome;
}

export interface RecordedAttempt {
  status: DeliveryOutcome["status"];
  nextAttemptOn: Timestamp | null;
  /** Set if this attempt deactivated the webhook. */
  disabledBecause: string | null;
}

/** Resolves after the commit. */
export type Recorder = (tenantId: number, sent: SentAttempt) => Promise<RecordedAttempt>;

interface Waiting {
  sent: SentAttempt;
  resolve(recorded: RecordedAttempt): void;
  reject(error: unknown): void;
}

/** An attempt waits this long so that others share its transaction. Nothing needs the record sooner. */
const gatherMs = 10;
/** An unrecorded success would be sent twice. All tries fit into a lease. */
const triesMax = 4;
const againAfterMs = 2_000;

/** A tenant's attempts that end together share a transaction, because commits are costly. */
export function createRecorder(service: DeliveryService): Recorder {
  const waiting = new Map<number, Waiting[]>();
  const random = () => Buffer.from(service.randomBytes(4)).readUInt32BE() / 2 ** 32;

  // Relaxed: after a power cut a worker repeats an attempt whose record is lost. Delivery is at least once.
  const write = (tenantId: number, batch: readonly Waiting[]) =>
    service.store.writeRelaxed({ tenantId, rowScopes: wholeTenant }, (tenant) => {
      const attempts = batch.map(({ sent }) => sent);
      const machineTime = service.machineClock.now();
      return recordAttempts(tenant, attempts, { now: service.clock.now(), machineTime, random });
    });

  async function commit(tenantId: number, waiting: readonly Waiting[]): Promise<void> {
    // All workers write webhooks in one order, which avoids deadlocks.
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

interface RecordingTime {
  now: Timestamp;
  /** For dates in responses. */
  machineTime: Timestamp;
  random: () => number;
}

/**
 * Deactivates a webhook that failed for 5 days or answered 410. Writes it before its deliveries: another order could
 * deadlock.
 */
export async function recordAttempts(
  store: TenantStore,
  attempts: readonly SentAttempt[],
  moment: RecordingTime,
): Promise<RecordedAttempt[]> {
  const entries = attempts.map((sent) => toLogEntry(sent.due.id, sent.due.attempt + 1, sent));
  await store.dueDeliveries.addAttempts(entries);
  const taken = attempts.filter(({ outcome }) => isSuccess(outcome));
  // Successes first, because a failure may cancel all pending deliveries.
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
      ? "The receiver answered 410: it refuses further deliveries."
      : await findReasonToDisable(store, due.hook.id, failingSince, now);
  if (reason === null && isActive) return { status: state, nextAttemptOn, disabledBecause: null };
  if (isActive) await store.hooks.deactivate(due.hook.id, now, reason);
  // Canceled like the other deliveries, so that enabling the webhook resumes all.
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

/** A webhook's own headers are secret. */
function toShownHeaders({ headers, hiddenHeaders = [] }: HookRequest): Record<string, string> {
  return { ...headers, ...Object.fromEntries(hiddenHeaders.map((name) => [name, hiddenValue])) };
}

const loggedBytesMax = 16 * 1024;

/** The first 16 KiB in whole characters. PostgreSQL cannot store a NUL, so its symbol replaces it. */
function cut(text: string): string {
  const shown = text.includes("\0") ? text.replaceAll("\0", "␀") : text;
  if (shown.length * utf8BytesMax <= loggedBytesMax) return shown;
  const bytes = Buffer.from(shown);
  if (bytes.length <= loggedBytesMax) return shown;
  return new TextDecoder().decode(bytes.subarray(0, loggedBytesMax), { stream: true });
}

/** For one UTF-16 unit. */
const utf8BytesMax = 3;
