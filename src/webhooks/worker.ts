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
  /** Delivers only these tenants' events, from the given one on. Default: all. */
  only?: readonly Caused[];
  /** Leaves private addresses to workers that may reach them. Default: true. */
  leaves?: boolean;
  /** Default: a second. */
  presenceMs?: number;
}

export interface Worker {
  /** Resolves when nothing is due and nothing runs. */
  drain(): Promise<void>;
  /** Claims nothing more, lets attempts run for `graceMs`, and releases the other claims. */
  stop(graceMs: number): Promise<void>;
}

/** Looks for due deliveries after each commit of this process, after hints, and once a second. */
export function startWorker(service: DeliveryService, options: WorkerOptions): Worker {
  const { counts, log, only, leaves = true, presenceMs } = options;
  const stopping = new AbortController();
  // Each webhook with a rate limit listens to the signal.
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
    // While nothing runs, the next claim itself notices a hold.
    if (watch.isHeld || !queues.isIdle) watch.isHeld = await readIsHeld(service, stepOptions);
    rest.begin(await runDueQueues(service, queues, stepOptions));
  };
  const { hints } = service.store.database;
  const rest = new Rest(hints);
  // The list of workers does not affect due deliveries.
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

/** If the store fails, returns the last known state. */
async function readIsHeld({ store }: DeliveryService, { isHeld, log }: StepOptions): Promise<boolean> {
  try {
    return (await readHold(store.metadata)) !== null;
  } catch (error) {
    log.fault(error);
    return isHeld();
  }
}

/** Returns the time until the next delivery can be due without a hint. */
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

/** Returns the number of pending deliveries, including retries. Ignores a fault of the store. */
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
/** The process is idle if it was busy for at most this share of the time since the last check. */
const busyShareMax = 0.2;
/** After this many polls it loads the sender anyway: a busy server would otherwise load it with its first delivery. */
const looksMax = 60;

/** Loads the sender early, because loading blocks the process for tens of milliseconds. Returns the cancel function. */
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
