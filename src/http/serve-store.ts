import type { LoginAttempts } from "../core/login-attempts.ts";
import type { ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { JsonLog } from "../runtime/json-log.ts";
import { startReencoding } from "../store/life/reencode-jobs.ts";
import { type Pruned, startPruning, toPruneMessage } from "../webhooks/prune.ts";
import type { Worker } from "../webhooks/worker.ts";
import type { AttemptCounts } from "../webhooks/worker-log.ts";
import type { HeldRequests } from "./faults/fault.ts";
import { createHandler, type Handler, type HandlerOptions } from "./handler.ts";
import { identifyByToken } from "./identify.ts";
import type { RateLimits } from "./rate-limits.ts";
import { startReaders } from "./readers/readers.ts";
import { createReadiness, type Readiness, type ServerState } from "./readiness.ts";
import { createStreams, type Streams } from "./streams/streams.ts";

const usageWriteMs = 60_000;

export interface ServedStore {
  service: Service;
  handle: Handler;
  readiness(): Promise<Readiness>;
  streams: Pick<Streams, "read">;
  start(): Promise<void>;
  /** Ends attempts within `graceMs`, and waits for `answered`. The store stays open. */
  stop(graceMs: number, answered: Promise<unknown>): Promise<void>;
}

export interface ServeStoreOptions
  extends Pick<ServeOptions, "answerBytesMax" | "basePath" | "delivers" | "usesThreads">,
    Pick<HandlerOptions, "cacheCounts" | "queues"> {
  states?: readonly ServerState[];
  attempts: LoginAttempts;
  metrics?: HandlerOptions["metrics"] | undefined;
  attemptCounts?: AttemptCounts;
  held?: HeldRequests;
  log: JsonLog;
  rateLimits?: RateLimits;
}

export async function serveStore(service: Service, options: ServeStoreOptions): Promise<ServedStore> {
  const { answerBytesMax, attempts, attemptCounts, basePath, cacheCounts, delivers, held, log } = options;
  const { metrics, queues, rateLimits, states, usesThreads = false } = options;
  const readiness = tellLate(createReadiness(service.store, states), log);
  const streams = createStreams(service);
  const readers = usesThreads ? startReaders(service.store.database) : null;
  const handle = await createHandler(service, {
    ...(answerBytesMax !== undefined && { answerBytesMax }),
    ...(basePath !== undefined && { basePath }),
    ...(held && { held }),
    ...(rateLimits && { rateLimits }),
    ...(readers && { readers }),
    ...(cacheCounts && { cacheCounts }),
    ...(metrics && { metrics }),
    ...(queues && { queues }),
    streams,
    attempts,
    readiness,
    identify: identifyByToken(service, attempts, rateLimits),
  });
  const chores = delivers
    ? () => startDelivering(service, log, attemptCounts)
    : async () => startChores(service, log);
  let stopChores: ((graceMs: number) => Promise<unknown>) | undefined;
  return {
    service,
    handle,
    readiness,
    streams,
    async start() {
      service.store.database.onFault((fault) => {
        if (fault) log.error({ check: fault.check, err: fault.error }, "the store cannot be relied on");
        else log.warn("the store works again");
      });
      service.store.database.hints.listen();
      stopChores = await chores();
    },
    async stop(graceMs, answered) {
      streams.stop();
      // Running requests may still write to the outbox; the next worker delivers it.
      await Promise.all([stopChores?.(graceMs), answered]);
      await readers?.close();
      await service.usage
        .write(service.store)
        .catch((error) => log.error({ err: error }, "usage not written"));
    },
  };
}

async function startDelivering(service: Service, log: JsonLog, counts?: AttemptCounts) {
  const worker = await deliverWhileServing(service, log, counts);
  const stop = startLasting(service, log);
  return (graceMs: number) => Promise.all([worker.stop(graceMs), stop()]);
}

/** Without a worker, the server must prune: it stores responses of repeatable calls. */
function startChores(service: Service, log: JsonLog) {
  const pruning = startPruning(service, {
    fault: (error) => log.error({ err: error }, "not pruned"),
    pruned: tellPruned(log),
  });
  const stop = startLasting(service, log);
  return () => Promise.all([pruning.stop(), stop()]);
}

const tellPruned = (log: JsonLog) => (pruned: Pruned) => log.info(pruned, toPruneMessage(pruned));

function startLasting(service: Service, log: JsonLog) {
  const writeUsage = () =>
    service.usage.write(service.store).catch((error) => log.error({ err: error }, "usage not written"));
  const usageTimer = setInterval(writeUsage, usageWriteMs).unref();
  const reencoding = startReencoding(service, (error) => log.error({ err: error }, "jobs not re-encoded"));
  return async () => {
    await reencoding.stop();
    clearInterval(usageTimer);
  };
}

/** Logs a line for each attempt. A failed attempt is a warning, which a terminal shows. */
async function deliverWhileServing(service: Service, log: JsonLog, counts?: AttemptCounts): Promise<Worker> {
  const { startWorker, warmUpWhenQuiet } = await import("../webhooks/worker.ts");
  const fault = tellRepeated((error, repeated) =>
    log.error({ err: error, ...(repeated > 0 && { repeated }) }, "fault in delivering"),
  );
  const endWarmUp = warmUpWhenQuiet(service, fault);
  const worker = startWorker(service, {
    log: {
      attempt: (line) => log[line.state === "delivered" ? "info" : "warn"](line, "delivery"),
      fault,
      pruned: tellPruned(log),
    },
    ...(counts && { counts }),
  });
  return {
    ...worker,
    stop: (graceMs) => {
      endWarmUp();
      return worker.stop(graceMs);
    },
  };
}

/** Checks whose failure no caller sees. */
const sentences = {
  time: ["the store does not answer in time", "the store answers again"],
  read: ["the store cannot be relied on", "the store works again"],
} as const;

type ToldCheck = keyof typeof sentences;

/** Logs when the store hangs or becomes unreadable, and when that ends: a hanging database throws no error. */
export function tellLate(
  readiness: () => Promise<Readiness>,
  log: Pick<JsonLog, "error" | "warn">,
): () => Promise<Readiness> {
  let told: ToldCheck | null = null;
  return async () => {
    const found = await readiness();
    const check = found.isReady || !isTold(found.check) ? null : found.check;
    if (check === told) return found;
    if (told && !check) log.warn(sentences[told][1]);
    if (check && !found.isReady) {
      const reason = check === "read" ? { reason: found.reason } : {};
      log.error({ check, ...reason }, sentences[check][0]);
    }
    told = check;
    return found;
  };
}

const isTold = (check: string): check is ToldCheck => Object.hasOwn(sentences, check);

/** The same fault within this time counts as a repetition. */
const pauseMsMin = 5_000;

const everyMs = 60_000;

const faultsMax = 100;

interface Seen {
  toldMs: number;
  lastMs: number;
  repeated: number;
}

/** Passes a fault on at its start, then once a minute with a count, so that it does not fill the disk. */
export function tellRepeated(
  tell: (error: unknown, repeated: number) => void,
  nowMs: () => number = () => performance.now(),
): (error: unknown) => void {
  const seen = new Map<string, Seen>();
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    const now = nowMs();
    const before = seen.get(message);
    if (before && now - before.lastMs < pauseMsMin && now - before.toldMs < everyMs) {
      before.lastMs = now;
      before.repeated += 1;
      return;
    }
    if (seen.size >= faultsMax) seen.clear();
    seen.set(message, { toldMs: now, lastMs: now, repeated: 0 });
    tell(error, before?.repeated ?? 0);
  };
}
