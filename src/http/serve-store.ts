import type { LoginAttempts } from "../auth/login-attempts.ts";
import type { ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { JsonLog } from "../runtime/json-log.ts";
import { startReencoding } from "../store/life/reencode-jobs.ts";
import { type Pruned, startPruning, toPruneMessage } from "../webhooks/prune.ts";
import type { Worker } from "../webhooks/worker.ts";
import type { AttemptCounts } from "../webhooks/worker-log.ts";
import { identifyByToken } from "./answer.ts";
import type { HeldRequests } from "./faults/fault.ts";
import { createHandler, type Handler, type HandlerOptions } from "./handler.ts";
import type { RateLimits } from "./rate-limits.ts";
import { startReaders } from "./readers/readers.ts";
import { createReadiness, type Readiness, type ServerState } from "./readiness.ts";
import { createStreams, type Streams } from "./streams/streams.ts";

const usageWriteMs = 60_000;

/** A store that requests are answered from, and what is done for it besides. */
export interface ServedStore {
  service: Service;
  handle: Handler;
  /** Whether it reads and writes, as /readyz says it. */
  readiness(): Promise<Readiness>;
  streams: Pick<Streams, "read">;
  /** Begins to deliver, and what else takes no request. */
  start(): Promise<void>;
  /** Ends all of it; attempts under way have so long, and requests until `answered` resolves. The store stays open. */
  stop(graceMs: number, answered: Promise<unknown>): Promise<void>;
}

/** What the servers of a store have in common while one takes the place of another. */
export interface ServeStoreOptions
  extends Pick<ServeOptions, "answerBytesMax" | "basePath" | "delivers" | "usesThreads">,
    Pick<HandlerOptions, "cacheCounts" | "queues"> {
  /** What the server is not ready for, whatever its store says. */
  states?: readonly ServerState[];
  attempts: LoginAttempts;
  metrics?: HandlerOptions["metrics"] | undefined;
  /** Counts the webhook attempts. */
  attemptCounts?: AttemptCounts;
  held?: HeldRequests;
  log: JsonLog;
  rateLimits?: RateLimits;
}

/** Makes what answers requests to a store. */
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
      // Requests that still run may write to the outbox; the next worker delivers that.
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

/** A worker does it otherwise. Who delivers nothing keeps answers all the same, and may be the only process. */
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

/** Logs one wide line for each attempt. A failed attempt is a warning, which a terminal shows too. */
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

/** What the log says when it begins and when it ends. Everything else is told by who meets it. */
const sentences = {
  time: ["the store does not answer in time", "the store answers again"],
  read: ["the store cannot be relied on", "the store works again"],
} as const;

type ToldCheck = keyof typeof sentences;

/**
 * Passes on what is found out of a store, and has the log say when it does not answer in time or cannot be read, and when
 * that is over (OP-362): a database that hangs gives no error that would be logged otherwise, and one that nobody writes to
 * no error that says anything of the store.
 */
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

/** A fault that comes again within this time is the same trouble going on. */
const pauseMsMin = 5_000;

/** How often the same trouble is told while it goes on. */
const everyMs = 60_000;

/** How many different faults are remembered. */
const faultsMax = 100;

interface Seen {
  toldMs: number;
  lastMs: number;
  /** How often it came since it was told. */
  repeated: number;
}

/**
 * Passes on a fault when it begins, and once a minute while it comes again and again, with how often it came since
 * (OP-379): a database that is away overnight must not fill the disk of the log. Faults with the same message are the same.
 */
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
