import { randomBytes } from "node:crypto";
import { createLoginAttempts } from "../core/login-attempts.ts";
import type { RunningServer, ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { AnsweredRequests } from "../core/serving.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import { openJsonLog } from "../runtime/json-log.ts";
import { readClock } from "../store/store-clock.ts";
import type { OnOver } from "./finished-request.ts";
import { describeListenFault } from "./listener.ts";
import type { OwnProcess } from "./metrics/process-figures.ts";
import { openServerFigures, type ServerFigures } from "./metrics-server/server-figures.ts";
import { createRateLimits } from "./rate-limits.ts";
import { draining } from "./readiness.ts";
import { answerFromTrail, toAnsweredRequests } from "./recording/answered-requests.ts";
import { linkTrails } from "./recording/peer-trails.ts";
import { createRecorder, type Recorder } from "./recording/recorder.ts";
import { createRequestTrail } from "./recording/request-trail.ts";
import { createSandboxServer, type SandboxServer } from "./sandbox-server.ts";
import { type ServedStore, serveStore } from "./serve-store.ts";
import { type HttpServer, toServer } from "./server.ts";

const graceMsDefault = 10_000;

/** Throws a usage error if it cannot listen. */
export async function startServer(
  given: Service,
  options: ServeOptions,
  own?: OwnProcess,
): Promise<RunningServer> {
  const { log: target, logLevel, rateLimit, tracing } = options;
  const log = openJsonLog(logLevel, target);
  const attempts = createLoginAttempts();
  const rateLimits = rateLimit && createRateLimits(rateLimit);
  const ofSandbox = await isSandbox(given);
  const { note, recorder, requests } = openRecording(given.machineClock, options.inspects || ofSandbox);
  const figures = openServerFigures(options, {
    log,
    logins: attempts,
    makeUuid: given.makeUuid,
    own,
    served: () => current(),
  });
  const state = { isDraining: false };
  const states = [() => (state.isDraining ? draining : null)];
  const shared = { ...options, ...figures.ofStore, attempts, log, states, ...(rateLimits && { rateLimits }) };
  let sandbox: SandboxServer | null = null;
  const serve = (service: Service): Promise<ServedStore> =>
    serveStore(
      { ...service, serving: { requests, sandbox }, ...(tracing && { tracing }) },
      { ...shared, ...(sandbox && { held: sandbox.held }) },
    );
  if (ofSandbox && recorder)
    sandbox = createSandboxServer({ recorder, restore: options.restore ?? null, serve });
  const first = await serve(given);
  sandbox?.use(first);
  const current = () => sandbox?.current() ?? first;
  const handle = sandbox?.handle ?? first.handle;
  const app = toServer(log, recorder?.record(handle) ?? handle, given.makeUuid, {
    ...toServing(options),
    onOver: (finished, client) => {
      note(finished, client);
      figures.note(finished, client);
    },
  });
  const origin = await listen(app, figures, options).catch(async (error: unknown) => {
    await Promise.all([first.stop(0, Promise.resolve()), figures.close()]);
    throw error;
  });
  await current().start();
  return {
    url: toShownUrl(origin, options),
    setLogLevel: (level) => {
      log.level = level;
    },
    reset: () =>
      sandbox?.restart() ?? Promise.reject(failure("state_conflict", "The store is not a sandbox.")),
    service: () => current().service,
    ...toEnding(app, state, async (graceMs, answered) => {
      sandbox?.held.endAll();
      await current().stop(graceMs, answered);
      await figures.close();
      await tracing?.close();
    }),
  };
}

function toServing({ logsTokens = false, slowMs, tls, tracing, trustedProxies }: ServeOptions) {
  return {
    logsTokens,
    ...(slowMs !== undefined && { slowMs }),
    ...(tls && { tls }),
    ...(tracing && { tracing }),
    ...(trustedProxies && { trustedProxies }),
  };
}

interface Recording {
  note: OnOver;
  recorder: Recorder | null;
  requests: AnsweredRequests;
}

function openRecording(machineClock: Clock, recordsBodies: boolean): Recording {
  const recorder = recordsBodies ? createRecorder(machineClock) : null;
  const trail = createRequestTrail(randomBytes(4).toString("hex"), recorder);
  const askPeers = linkTrails((question) => answerFromTrail(trail, question));
  return {
    note: (finished, client) => trail.note(finished, client, machineClock.now()),
    recorder,
    requests: toAnsweredRequests(trail, askPeers, { recordsBodies }),
  };
}

/** `finish` ends the rest once `answered` resolves. */
function toEnding(
  app: HttpServer,
  state: { isDraining: boolean },
  finish: (graceMs: number, answered: Promise<void>) => Promise<void>,
): Pick<RunningServer, "close" | "drain"> {
  let ended: Promise<void> | undefined;
  const end = async (graceMs: number, answered: Promise<void>) => {
    const cutOff = setTimeout(() => app.closeAllConnections(), graceMs);
    await finish(graceMs, answered);
    clearTimeout(cutOff);
  };
  return {
    drain() {
      if (!state.isDraining) app.log.info("Server is ending: /readyz returns 503 from now on.");
      state.isDraining = true;
      app.closeKept();
    },
    close(graceMs = graceMsDefault, idleMs = 0) {
      const answered = app.close(idleMs);
      ended ??= end(graceMs, answered);
      return ended;
    },
  };
}

async function listen(app: HttpServer, figures: ServerFigures, options: ServeOptions): Promise<string> {
  try {
    const origin = await app.listen(options);
    await figures.listen();
    return origin;
  } catch (error) {
    await app.close();
    throw toListenError(error, options);
  }
}

/** The operator's host with the actual port. */
function toShownUrl(origin: string, { basePath = "", host, socket }: ServeOptions): string {
  if (socket) return origin;
  const { port, protocol } = new URL(origin);
  return `${protocol}//${host.includes(":") ? `[${host}]` : host}:${port}${basePath}`;
}

function toListenError(error: unknown, { host, port, socket }: ServeOptions): Error {
  if (error instanceof DispatchError) return error;
  if (!socket && error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return failure(
      "usage",
      `Port ${port} is in use: choose another one with --port (EADDRINUSE).`,
      null,
      error,
    );
  const reason = describeListenFault(error, socket !== undefined);
  const where = socket ? `at the socket ${socket.path}` : `on ${host}, port ${port}`;
  return failure("usage", `Cannot listen ${where}: ${reason}.`, null, error);
}

/** The first request reports an unreadable store. */
async function isSandbox(service: Service): Promise<boolean> {
  return readClock(service).then(
    ({ sandbox }) => sandbox,
    () => false,
  );
}
