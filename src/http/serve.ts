import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { createLoginAttempts } from "../auth/login-attempts.ts";
import type { RunningServer, ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { Serving } from "../core/serving.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { readClock } from "../store/store-clock.ts";
import { AttemptCounts } from "../webhooks/attempt-counts.ts";
import { createRequestTrail, toAnsweredRequests } from "./answered-requests.ts";
import { watchEventLoop } from "./event-loop-watch.ts";
import type { OwnProcess } from "./metrics/process-figures.ts";
import { RequestCounts } from "./metrics/request-counts.ts";
import { serveMetrics } from "./metrics/serve-metrics.ts";
import { createRateLimits } from "./rate-limits.ts";
import { RequestQueues } from "./request-queues.ts";
import { createSandboxServer, type SandboxServer } from "./sandbox/sandbox-server.ts";
import { type ServedStore, serveStore } from "./serve-store.ts";
import { toServer } from "./server.ts";

const graceMsDefault = 10_000;

/**
 * Starts serving a store; resolves when requests are accepted. Throws a usage error when it cannot listen. `own` tells of this
 * process, for its figures.
 */
export async function startServer(
  given: Service,
  options: ServeOptions,
  own?: OwnProcess,
): Promise<RunningServer> {
  const { host, log: target, logLevel, port, rateLimit } = options;
  const log = pino({ level: logLevel }, target);
  const attempts = createLoginAttempts();
  const rateLimits = rateLimit && createRateLimits(rateLimit);
  const trail = createRequestTrail(randomBytes(4).toString("hex"));
  const loop = watchEventLoop(log);
  const counts = {
    attempts: new AttemptCounts(),
    cache: { hits: 0, misses: 0, bytes: 0 },
    queues: new RequestQueues(),
    requests: new RequestCounts(),
  };
  const metrics =
    options.metrics && own
      ? serveMetrics({
          ...options.metrics,
          counting: {
            ...counts,
            loop,
            lostLines: () => target.lostLines?.() ?? 0,
            own,
            served: () => current(),
          },
          log,
          logins: attempts,
          makeUuid: given.makeUuid,
          worker: cluster.worker ?? null,
        })
      : null;
  const shared = {
    ...options,
    attempts,
    attemptCounts: counts.attempts,
    cacheCounts: counts.cache,
    log,
    metrics: metrics?.page,
    queues: counts.queues,
    ...(rateLimits && { rateLimits }),
  };
  let sandbox: SandboxServer | null = null;
  const serve = (service: Service): Promise<ServedStore> => {
    const requests = toAnsweredRequests(trail, async () => []);
    const serving: Serving = { requests, sandbox };
    return serveStore({ ...service, serving }, { ...shared, ...(sandbox && { held: sandbox.held }) });
  };
  if (await isSandbox(given))
    sandbox = createSandboxServer(given, { restore: options.restore ?? null, serve });
  const first = await serve(given);
  sandbox?.use(first);
  const current = () => sandbox?.current() ?? first;
  const app = toServer(log, sandbox?.handle ?? first.handle, given.makeUuid, {
    logsTokens: options.logsTokens ?? false,
    onOver: (finished, client) => {
      trail.note(finished, client, given.machineClock.now());
      counts.requests.note(finished, client.page);
    },
  });
  let origin: string;
  try {
    origin = await app.listen({ host, port });
    await metrics?.listen();
  } catch (error) {
    await app.close();
    await first.stop(0, Promise.resolve());
    loop.stop();
    if (error instanceof DispatchError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("usage", `Cannot listen on ${host}, port ${port}: ${reason}.`, null, error);
  }
  await current().start();
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${new URL(origin).port}`,
    reset: () => sandbox?.restart() ?? Promise.reject(failure("state_conflict", "The store is no sandbox.")),
    service: () => current().service,
    close: async (graceMs = graceMsDefault) => {
      const cutOff = setTimeout(() => app.closeAllConnections(), graceMs);
      sandbox?.held.endAll();
      await current().stop(graceMs, app.close());
      clearTimeout(cutOff);
      loop.stop();
      await metrics?.close();
    },
  };
}

/** Whoever cannot read the store learns why with the first request. */
async function isSandbox(service: Service): Promise<boolean> {
  return readClock(service).then(
    ({ sandbox }) => sandbox,
    () => false,
  );
}
