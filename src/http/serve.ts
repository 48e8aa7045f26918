import type { Logger } from "pino";
import { createLoginAttempts } from "../auth/login-attempts.ts";
import type { RunningServer, ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { failure } from "../errors/errors.ts";
import { startReencoding } from "../store/life/reencode-jobs.ts";
import { startPruning } from "../webhooks/prune.ts";
import type { Worker } from "../webhooks/worker.ts";
import { identifyByToken } from "./answer.ts";
import { watchEventLoop } from "./event-loop-watch.ts";
import { createRateLimits } from "./rate-limits.ts";
import { startReaders } from "./readers/readers.ts";
import { buildServer } from "./server.ts";

const graceMsDefault = 10_000;

const usageWriteMs = 60_000;

/** Starts serving a store; resolves when requests are accepted. Throws a usage error when it cannot listen. */
export async function startServer(
  service: Service,
  {
    host,
    port,
    answerBytesMax,
    delivers,
    log,
    logLevel,
    logsTokens = false,
    rateLimit,
    usesThreads = false,
  }: ServeOptions,
): Promise<RunningServer> {
  const attempts = createLoginAttempts();
  const rateLimits = rateLimit && createRateLimits(rateLimit);
  const readers = usesThreads ? startReaders(service.store) : null;
  const app = await buildServer(service, {
    ...(answerBytesMax !== undefined && { answerBytesMax }),
    ...(rateLimits && { rateLimits }),
    ...(readers && { readers }),
    attempts,
    identify: identifyByToken(service, attempts, rateLimits),
    log,
    logLevel,
    logsTokens,
  });
  let origin: string;
  try {
    origin = await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("usage", `Cannot listen on ${host}, port ${port}: ${reason}.`, null, error);
  }
  const stopWatch = watchEventLoop(app.log);
  service.store.onFault((fault) => {
    if (fault) app.log.error({ check: fault.check, err: fault.error }, "the store cannot be relied on");
    else app.log.warn("the store works again");
  });
  const worker = delivers ? await deliverWhileServing(service, app.log) : null;
  // A worker does it otherwise. Who delivers nothing keeps answers all the same, and may be the only process.
  const pruning = delivers
    ? null
    : startPruning(service, (error) => app.log.error({ err: error }, "not pruned"));
  const writeUsage = () =>
    service.usage.write(service.store).catch((error) => app.log.error({ err: error }, "usage not written"));
  const usageTimer = setInterval(writeUsage, usageWriteMs).unref();
  const reencoding = startReencoding(service, (error) =>
    app.log.error({ err: error }, "jobs not re-encoded"),
  );
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${new URL(origin).port}`,
    close: async (graceMs = graceMsDefault) => {
      const cutOff = setTimeout(() => app.closeAllConnections(), graceMs);
      // Requests that still run may write to the outbox; the next worker delivers that.
      await Promise.all([app.close(), worker?.stop(graceMs), reencoding.stop(), pruning?.stop()]);
      clearTimeout(cutOff);
      await readers?.close();
      clearInterval(usageTimer);
      stopWatch();
      await writeUsage();
    },
  };
}

/** Logs one wide line for each attempt. A failed attempt is a warning, which a terminal shows too. */
async function deliverWhileServing(service: Service, log: Logger): Promise<Worker> {
  const { startWorker } = await import("../webhooks/worker.ts");
  const { warmUpWhenQuiet } = await import("../webhooks/warm-up.ts");
  const fault = (error: unknown) => log.error({ err: error }, "fault in delivering");
  const endWarmUp = warmUpWhenQuiet(service, fault);
  const worker = startWorker(service, {
    log: { attempt: (line) => log[line.status === "delivered" ? "info" : "warn"](line, "delivery"), fault },
  });
  return {
    ...worker,
    stop: (graceMs) => {
      endWarmUp();
      return worker.stop(graceMs);
    },
  };
}
