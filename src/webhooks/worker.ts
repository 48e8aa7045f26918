import { setMaxListeners } from "node:events";
import { toEpochMs } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import { readHold } from "../store/held-deliveries.ts";
import type { Endpoint } from "../store/queries/backlog.ts";
import { createDeliverySteps, type StepOptions } from "./attempt.ts";
import { startDelivererMark } from "./deliverer-mark.ts";
import type { Caused, DeliveryService } from "./delivery-service.ts";
import { createConcurrencyLimiter, EndpointQueue } from "./endpoint-queue.ts";
import { LeftWebhooks } from "./left-webhooks.ts";
import { Rest, restMsMax, startPoller } from "./poller.ts";
import { startPruning } from "./prune.ts";
import type { AttemptCounts, WorkerLog } from "./worker-log.ts";
import { endStranded, WorkerPresence } from "./worker-presence.ts";

export interface WorkerOptions {
  log: WorkerLog;
  counts?: AttemptCounts;
  /**
   * Delivers these tenants' events from the given one on, and does nothing else; by default all events of all tenants.
   */
  only?: readonly Caused[];
  /** Leaves unreachable addresses to workers that may reach them; true by default. */
  leaves?: boolean;
  /** The interval of signs of life; a second by default. */
  presenceMs?: number;
}

export interface Worker {
  /** Resolves when nothing is due and nothing runs. */
  drain(): Promise<void>;
  /** Claims nothing more, lets running attempts continue for the given time, and releases the other claims. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts delivering. It looks for due deliveries after each commit of this process and once a second, or less often
 * where other processes send hints, and runs a queue for each webhook. Any number of workers, in any processes, may
 * share a store.
 */
export function startWorker(service: DeliveryService, options: WorkerOptions): Worker {
  const { counts, log, only, leaves = true, presenceMs } = options;
  const stopping = new AbortController();
  // Each capped webhook waits for it.
  setMaxListeners(0, stopping.signal);
  const presence = new WorkerPresence(service, {
    isIdle: () => queues.isIdle,
    isWatching: !only,
    lookMs: presenceMs,
    onRescued: () => poller.lookSoon(),
    onFault: log.fault,
  });
  const nameClaim = () => presence.nameClaim();
  const left = leaves ? new LeftWebhooks((ms) => presence.sawReachingSince(ms)) : null;
  const watch = { isHeld: false };
  const isHeld = () => watch.isHeld;
  const common = { isHeld, left, log, nameClaim, stopping: stopping.signal };
  const stepOptions: StepOptions = { ...common, ...(counts && { counts }), ...(only && { only }) };
  const stepsOf = createDeliverySteps(service, stepOptions);
  const limiter = createConcurrencyLimiter();
  const queues: EndpointQueues = new EndpointQueues((endpoint, onIdle) => {
    const enter = (isSlow: boolean) => limiter(endpoint.tenantId, isSlow);
    return new EndpointQueue(stepsOf(endpoint), { enter, stopping: stopping.signal, onIdle });
  });
  const look = async () => {
    // Without a claim, the next claim itself finds out.
    if (watch.isHeld || !queues.isIdle) watch.isHeld = await readIsHeld(service, stepOptions);
    rest.begin(await runDueQueues(service, queues, stepOptions));
  };
  const { hints } = service.store.database;
  const rest = new Rest(hints);
  // The list of workers does not change the due deliveries.
  const listen = (onHint: () => void) => hints.onHint((hint) => hint !== "workers" && onHint());
  const poller = startPoller(look, listen, { rests: () => !rest.isOver });
  const mark = only ? null : startDelivererMark(service);
  const pruning = only ? null : startPruning(service, log);

  return {
    async drain() {
      await poller.settled();
      await endStranded(service).catch(log.fault);
      await look();
      await queues.idle();
    },
    async stop(graceMs) {
      stopping.abort();
      poller.stop();
      rest.stop();
      const pruningEnded = pruning?.stop();
      await poller.settled();
      const cutOff = setTimeout(() => void service.sender().then((sender) => sender.close()), graceMs);
      await queues.idle();
      clearTimeout(cutOff);
      await queues.releaseClaimed();
      await presence.stop();
      await mark?.stop();
      await pruningEnded;
    },
  };
}

/** Keeps the last answer when the store fails. */
async function readIsHeld({ store }: DeliveryService, { isHeld, log }: StepOptions): Promise<boolean> {
  try {
    return (await readHold(store.metadata)) !== null;
  } catch (error) {
    log.fault(error);
    return isHeld();
  }
}

/**
 * Runs the queue of each webhook with due deliveries; returns the time until the next delivery can be due without a
 * hint.
 */
async function runDueQueues(
  { clock, store }: DeliveryService,
  queues: EndpointQueues,
  { left, log, only, stopping }: StepOptions,
): Promise<number> {
  try {
    await clock.refresh();
    const due = await store.backlog.endpointsDue(clock.now());
    for (const endpoint of due) {
      if (stopping.aborted) return 0;
      if (left?.has(endpoint.hookId)) continue;
      if (!only || only.some(({ tenantId }) => tenantId === endpoint.tenantId)) queues.run(endpoint);
    }
    if (due.length > 0 || !queues.isIdle || !store.database.hints.isListening()) return 0;
    const next = await store.backlog.nextAttempt();
    return next === null ? restMsMax : Math.min(toEpochMs(next) - toEpochMs(clock.now()), restMsMax);
  } catch (error) {
    log.fault(error);
    return 0;
  }
}

/** One queue for each webhook that had due deliveries since the worker started. */
class EndpointQueues {
  readonly #make: (endpoint: Endpoint, onIdle: () => void) => EndpointQueue;
  readonly #byHook = new Map<number, EndpointQueue>();
  readonly #whenIdle: (() => void)[] = [];

  constructor(make: (endpoint: Endpoint, onIdle: () => void) => EndpointQueue) {
    this.#make = make;
  }

  run(endpoint: Endpoint): void {
    const queue = this.#byHook.get(endpoint.hookId) ?? this.#make(endpoint, () => this.#tellIfIdle());
    this.#byHook.set(endpoint.hookId, queue);
    queue.run();
  }

  async idle(): Promise<void> {
    if (!this.isIdle) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Makes claimed deliveries due again. */
  async releaseClaimed(): Promise<void> {
    for (const queue of this.#byHook.values()) await queue.releaseClaimed();
  }

  get isIdle(): boolean {
    return [...this.#byHook.values()].every((queue) => queue.isIdle);
  }

  #tellIfIdle(): void {
    if (this.isIdle) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/**
 * Delivers the events of this process for `msMax` at most. Returns the number of their pending deliveries, including
 * those that wait for a retry. Ignores a fault of the store, because the deliveries stay in the outbox.
 */
export async function deliverFor(
  service: DeliveryService,
  caused: readonly Caused[],
  msMax: number,
): Promise<number> {
  const log = { attempt: () => undefined, fault: () => undefined };
  const worker = startWorker(service, { log, only: caused });
  await Promise.race([worker.drain(), new Promise((resolve) => setTimeout(resolve, msMax).unref())]);
  await worker.stop(0);
  let pending = 0;
  for (const { tenantId, firstEventId } of caused) {
    const tenant = service.store.direct({ tenantId, rowScopes: wholeTenant });
    pending += await tenant.dueDeliveries.countPending(firstEventId);
  }
  return pending;
}

const firstAfterMs = 2000;
const everyMs = 500;
/** The process counts as idle if it was busy for at most this share of the time since the last check. */
const busyShareMax = 0.2;
/**
 * After this many polls it loads the sender anyway: a server that is always busy would load it with its first
 * delivery.
 */
const looksMax = 60;

/**
 * Loads the sender at a quiet moment after the start, if the store has webhooks: loading blocks the process for tens
 * of milliseconds, which would delay the first delivery and other requests. Returns the function that cancels it; does
 * not keep the process alive.
 */
export function warmUpWhenQuiet(
  { sender, store }: Pick<DeliveryService, "sender" | "store">,
  onFault: (error: unknown) => void,
): () => void {
  let before = performance.eventLoopUtilization();
  const load = async () => {
    if (await store.backlog.hasHooks()) await sender();
  };
  const look = (looksLeft: number) => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization <= busyShareMax || looksLeft === 0) void load().catch(onFault);
    else timer = setTimeout(look, everyMs, looksLeft - 1).unref();
  };
  let timer = setTimeout(look, firstAfterMs, looksMax).unref();
  return () => clearTimeout(timer);
}
