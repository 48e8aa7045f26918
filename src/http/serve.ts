import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { createLoginAttempts } from "../auth/login-attempts.ts";
import type { RunningServer, ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { Serving } from "../core/serving.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { readClock } from "../store/store-clock.ts";
import { createRequestTrail, toAnsweredRequests } from "./answered-requests.ts";
import { watchEventLoop } from "./event-loop-watch.ts";
import { createRateLimits } from "./rate-limits.ts";
import { draining } from "./readiness.ts";
import { createSandboxServer, type SandboxServer } from "./sandbox/sandbox-server.ts";
import { type ServedStore, serveStore } from "./serve-store.ts";
import { toServer } from "./server.ts";

const graceMsDefault = 10_000;

/** Starts serving a store; resolves when requests are accepted. Throws a usage error when it cannot listen. */
export async function startServer(given: Service, options: ServeOptions): Promise<RunningServer> {
  const { log: target, logLevel, rateLimit, tls, trustedProxies } = options;
  const log = pino({ level: logLevel }, target);
  const attempts = createLoginAttempts();
  const rateLimits = rateLimit && createRateLimits(rateLimit);
  const trail = createRequestTrail(randomBytes(4).toString("hex"));
  let isDraining = false;
  const states = [() => (isDraining ? draining : null)];
  const shared = { ...options, attempts, log, states, ...(rateLimits && { rateLimits }) };
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
    ...(tls && { tls }),
    ...(trustedProxies && { trustedProxies }),
    onOver: (seen, client) => trail.note({ ...seen, answered_on: given.machineClock.now() }, client),
  });
  let origin: string;
  try {
    origin = await app.listen(options);
  } catch (error) {
    await app.close();
    await first.stop(0, Promise.resolve());
    throw toListenError(error, options);
  }
  const stopWatch = watchEventLoop(log);
  await current().start();
  let ended: Promise<void> | undefined;
  return {
    url: toShownUrl(origin, options),
    reset: () => sandbox?.restart() ?? Promise.reject(failure("state_conflict", "The store is no sandbox.")),
    service: () => current().service,
    drain() {
      isDraining = true;
      app.closeKept();
    },
    close: async (graceMs = graceMsDefault, idleMs = 0) => {
      const answered = app.close(idleMs);
      const cutOff = setTimeout(() => app.closeAllConnections(), graceMs);
      sandbox?.held.endAll();
      ended ??= current().stop(graceMs, answered);
      await ended;
      clearTimeout(cutOff);
      stopWatch();
    },
  };
}

/** As the operator named the host, with the port that it became. */
function toShownUrl(origin: string, { basePath = "", host, socket }: ServeOptions): string {
  if (socket) return origin;
  const { port, protocol } = new URL(origin);
  return `${protocol}//${host.includes(":") ? `[${host}]` : host}:${port}${basePath}`;
}

function toListenError(error: unknown, { host, port, socket }: ServeOptions): Error {
  if (error instanceof DispatchError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const where = socket ? `at the socket ${socket.path}` : `on ${host}, port ${port}`;
  return failure("usage", `Cannot listen ${where}: ${reason}.`, null, error);
}

/** Whoever cannot read the store learns why with the first request. */
async function isSandbox(service: Service): Promise<boolean> {
  return readClock(service).then(
    ({ sandbox }) => sandbox,
    () => false,
  );
}
