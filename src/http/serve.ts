import { randomBytes } from "node:crypto";
import { createLoginAttempts } from "../auth/login-attempts.ts";
import type { RunningServer, ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { Serving } from "../core/serving.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { openJsonLog } from "../runtime/json-log.ts";
import { readClock } from "../store/store-clock.ts";
import { createRequestTrail, toAnsweredRequests } from "./answered-requests.ts";
import type { OwnProcess } from "./metrics/process-figures.ts";
import { openServerFigures } from "./metrics-server/server-figures.ts";
import { createRateLimits } from "./rate-limits.ts";
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
  const log = openJsonLog(logLevel, target);
  const attempts = createLoginAttempts();
  const rateLimits = rateLimit && createRateLimits(rateLimit);
  const trail = createRequestTrail(randomBytes(4).toString("hex"));
  const figures = openServerFigures(options, {
    log,
    logins: attempts,
    makeUuid: given.makeUuid,
    own,
    served: () => current(),
  });
  const shared = { ...options, ...figures.ofStore, attempts, log, ...(rateLimits && { rateLimits }) };
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
      figures.note(finished, client);
    },
  });
  let origin: string;
  try {
    origin = await app.listen({ host, port });
    await figures.listen();
  } catch (error) {
    await app.close();
    await first.stop(0, Promise.resolve());
    await figures.close();
    if (error instanceof DispatchError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("usage", `Cannot listen on ${host}, port ${port}: ${reason}.`, null, error);
  }
  await current().start();
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${new URL(origin).port}`,
    setLogLevel: (level) => {
      log.level = level;
    },
    reset: () => sandbox?.restart() ?? Promise.reject(failure("state_conflict", "The store is no sandbox.")),
    service: () => current().service,
    close: async (graceMs = graceMsDefault) => {
      const cutOff = setTimeout(() => app.closeAllConnections(), graceMs);
      sandbox?.held.endAll();
      await current().stop(graceMs, app.close());
      clearTimeout(cutOff);
      await figures.close();
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
