import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { DueHook } from "../store/queries/accounts.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import { createConcurrencyLimiter, slowAfterMs } from "./concurrency-limiter.ts";
import {
  isSuccess,
  prepareAttempt,
  type SentAttempt,
  sendAttempt,
  toHttpStatus,
  toMessage,
} from "./deliver.ts";
import type { DeliveryService } from "./delivery-service.ts";
import { type Attempted, EndpointQueue } from "./endpoint-queue.ts";
import { startPruning } from "./prune.ts";
import type { RecordedAttempt } from "./record.ts";
import { createRecorder } from "./recorder.ts";

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

/** Whom a worker tells what happens. */
export interface WorkerLog {
  attempt(line: AttemptLine): void;
  /** Something of the program or of the store failed; the worker goes on. */
  fault(error: unknown): void;
}

export interface WorkerOptions {
  log: WorkerLog;
  /** Only this tenant's deliveries of events from this one on; by default all. */
  only?: readonly { tenantId: number; firstEventId: number }[];
}

/** Delivers what is in the outbox, until it is stopped. */
export interface Worker {
  /** Resolves when nothing is due any more and nothing is under way. */
  drain(): Promise<void>;
  /** Claims nothing more, lets what runs end for so long, and gives the rest back. */
  stop(graceMs: number): Promise<void>;
}

const pollMs = 1000;
/** After a commit the worker looks at once, but not for every one of many. */
const lookPauseMs = 10;
/** Longer than an attempt can take, with what is before and after it (OP-77: 15 s). */
const leaseMs = 45_000;
const attemptMsMax = 20_000;
/** What was claimed longer ago is read again before it is sent: its webhook may have been changed or deactivated. */
const recentClaimMsMax = 1000;

/**
 * Starts delivering: looks for what is due after each commit of this process and once a second, and sends it, each
 * webhook in a lane of its own. Any number of workers, in any processes, may share a store.
 */
export function startWorker(service: DeliveryService, { log, only }: WorkerOptions): Worker {
  const { clock, store } = service;
  const queues = new Map<number, { tenantId: number; queue: EndpointQueue }>();
  const admit = createConcurrencyLimiter();
  const record = createRecorder(service);
  const whenIdle: (() => void)[] = [];
  let isStopped = false;
  let looking: Promise<void> | undefined;
  let isTold = false;

  const queueOf = ({ tenantId, hookId }: DueHook): EndpointQueue => {
    const known = queues.get(hookId) ?? {
      tenantId,
      queue: new EndpointQueue(toDependencies(tenantId, hookId)),
    };
    queues.set(hookId, known);
    return known.queue;
  };

  const toDependencies = (tenantId: number, hookId: number) => ({
    enter: async (isSlow: boolean) => {
      const leave = await admit(isSlow);
      if (!isStopped) return leave;
      leave();
      return null;
    },
    claim: (limit: number) => claim(tenantId, hookId, limit),
    attempt: (due: DueDelivery) => attempt(tenantId, due),
    isClaimRecent,
    hasLeaseLeft: ({ leasedUntil }: DueDelivery) =>
      toEpochMs(leasedUntil) - toEpochMs(clock.now()) >= attemptMsMax,
    ended: () => {
      if (isIdle()) for (const resolve of whenIdle.splice(0)) resolve();
    },
  });

  const isClaimRecent = ({ leasedUntil }: DueDelivery) =>
    toEpochMs(clock.now()) - (toEpochMs(leasedUntil) - leaseMs) < recentClaimMsMax;

  const isIdle = () => [...queues.values()].every(({ queue }) => queue.isIdle);

  const tenantStore = (tenantId: number) => store.direct({ tenantId, rowScopes: wholeTenant });

  async function claim(tenantId: number, hookId: number, limit: number): Promise<DueDelivery[]> {
    if (isStopped) return [];
    try {
      await clock.refresh();
      const now = clock.now();
      return await tenantStore(tenantId).dueDeliveries.claim({
        firstEventId: only?.find((part) => part.tenantId === tenantId)?.firstEventId ?? 0,
        hookId,
        leasedBy: service.makeUuid(),
        leasedUntil: toTimestamp(toEpochMs(now) + leaseMs),
        limit,
        now,
      });
    } catch (error) {
      log.fault(error);
      return [];
    }
  }

  async function attempt(tenantId: number, claimed: DueDelivery): Promise<Attempted> {
    const due = isStopped ? claimed : await readAgainIfOld(tenantId, claimed);
    if (!due) return unmade(Promise.resolve());
    if (isStopped || due.hook.deletedAt !== null) return unmade(release(tenantId, due));
    const sent = await make(tenantId, due);
    // We ended it ourselves, so it says nothing of the receiver.
    if (sent.outcome.kind === "failed" && sent.outcome.reason === "closed")
      return unmade(release(tenantId, due));
    const recorded = record(tenantId, sent).then(
      (made) => {
        // The webhook gets nothing any more, and all that was claimed of it is cancelled.
        if (made.status === "cancelled") queues.get(due.hook.id)?.queue.takeBack();
        log.attempt(toLine(tenantId, sent, made));
      },
      // When the lease ends it is tried again: at least once is the promise.
      log.fault,
    );
    return {
      succeeded: isSuccess(sent.outcome),
      isSlow: sent.outcome.durationMs >= slowAfterMs,
      recorded,
    };
  }

  const unmade = (givenBack: Promise<void>): Attempted => ({
    succeeded: true,
    isSlow: false,
    recorded: givenBack.catch(log.fault),
  });

  /** Gives nothing when the delivery was cancelled or lost meanwhile, or when that cannot be found out. */
  async function readAgainIfOld(tenantId: number, due: DueDelivery): Promise<DueDelivery | undefined> {
    if (isClaimRecent(due)) return due;
    try {
      return await tenantStore(tenantId).dueDeliveries.readAgain(due);
    } catch (error) {
      log.fault(error);
      return undefined;
    }
  }

  async function make(tenantId: number, due: DueDelivery): Promise<SentAttempt> {
    const now = clock.now();
    try {
      return await sendAttempt(
        prepareAttempt(due, tenantId, now, service.machineClock.now()),
        await service.sender(),
      );
    } catch (error) {
      log.fault(error);
      const reason = error instanceof Error ? error.message : String(error);
      return {
        due,
        attempt: due.attempt + 1,
        request: { url: due.hook.url, headers: {}, body: "" },
        startedOn: now,
        outcome: {
          kind: "failed",
          reason: "other",
          message: `The request could not be made: ${reason}`,
          durationMs: 0,
        },
      };
    }
  }

  /** Of a webhook that was deactivated meanwhile nothing is sent any more; else the delivery is as before. */
  async function release(tenantId: number, due: DueDelivery): Promise<void> {
    await store.writeRelaxed({ tenantId, rowScopes: wholeTenant }, async ({ dueDeliveries, hooks }) => {
      // It may have been brought back since it was read.
      const hook = await hooks.find(due.hook.id);
      if (hook?.deleted_at === null) await dueDeliveries.release(due, clock.now());
      else await dueDeliveries.cancelPending(due.hook.id, clock.now());
    });
  }

  async function look(): Promise<void> {
    try {
      await clock.refresh();
      const due = await store.accounts.hooksDue(clock.now());
      for (const hook of due) {
        if (isStopped) return;
        if (!only || only.some(({ tenantId }) => tenantId === hook.tenantId)) queueOf(hook).run();
      }
    } catch (error) {
      log.fault(error);
    }
  }

  /** One look at a time; what is told meanwhile is looked for afterwards. */
  function lookSoon(): void {
    isTold = true;
    looking ??= (async () => {
      while (isTold && !isStopped) {
        isTold = false;
        await look();
        await pause(lookPauseMs);
      }
      looking = undefined;
    })();
  }

  const polling = setInterval(lookSoon, pollMs);
  const stopListening = service.outbox.listen(lookSoon);
  const stopPruning = only ? () => undefined : startPruning(service, log.fault);
  lookSoon();
  // Loaded before it is needed: the first attempt should not wait for it.
  if (!only) void service.sender().catch(log.fault);

  return {
    async drain() {
      await looking;
      await look();
      if (!isIdle()) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
    async stop(graceMs) {
      isStopped = true;
      clearInterval(polling);
      stopListening();
      stopPruning();
      await looking;
      const idle = isIdle() || new Promise<void>((resolve) => whenIdle.push(resolve));
      const cutOff = setTimeout(() => void service.sender().then((sender) => sender.close()), graceMs);
      await idle;
      clearTimeout(cutOff);
      for (const { tenantId, queue } of queues.values()) {
        for (const due of queue.takeBack()) await release(tenantId, due).catch(log.fault);
      }
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function toLine(
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
