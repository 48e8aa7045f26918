import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "../auth/actor.ts";
import type { RawAnswer, RawRequest, RunningServer, ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { failure } from "../errors/errors.ts";
import { startReencoding } from "../store/life/reencode-jobs.ts";
import type { Worker } from "../webhooks/worker.ts";
import { identifyByToken } from "./answer.ts";
import { buildServer } from "./server.ts";

const drainMsMax = 10_000;

const usageWriteMs = 60_000;

/** Starts serving a store; resolves when requests are accepted. Throws a usage error when it cannot listen. */
export async function startServer(
  service: Service,
  { host, port, answerBytesMax, delivers, log, logLevel }: ServeOptions,
): Promise<RunningServer> {
  const app = await buildServer(service, {
    ...(answerBytesMax !== undefined && { answerBytesMax }),
    identify: identifyByToken(service),
    log,
    logLevel,
  });
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("usage", `Cannot listen on ${host}, port ${port}: ${reason}.`, null, error);
  }
  const address = app.server.address();
  const worker = delivers ? await deliverWhileServing(service, app.log) : null;
  const writeUsage = () =>
    service.usage.write(service.store).catch((error) => app.log.error({ err: error }, "usage not written"));
  const usageTimer = setInterval(writeUsage, usageWriteMs).unref();
  const reencoding = startReencoding(service, (error) =>
    app.log.error({ err: error }, "jobs not re-encoded"),
  );
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    close: async () => {
      const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMsMax);
      // Requests that still run may write to the outbox; the next worker delivers that.
      await Promise.all([app.close(), worker?.stop(drainMsMax), reencoding.stop()]);
      clearTimeout(cutOff);
      clearInterval(usageTimer);
      await writeUsage();
    },
  };
}

/** Logs one wide line for each attempt. A failed attempt is a warning, which a terminal shows too. */
async function deliverWhileServing(service: Service, log: FastifyBaseLogger): Promise<Worker> {
  const { startWorker } = await import("../webhooks/worker.ts");
  return startWorker(service, {
    log: {
      attempt: (line) => log[line.status === "delivered" ? "info" : "warn"](line, "delivery"),
      fault: (error) => log.error({ err: error }, "fault in delivering"),
    },
  });
}

/** Answers a raw request in this process as a server would, for a user of the store instead of a token. */
export async function answerInProcess(
  service: Service,
  actor: Actor,
  request: RawRequest,
): Promise<RawAnswer> {
  const identify = async () => ({ actor: async () => actor, token: null });
  const app = await buildServer(service, {
    answerBytesMax: 0,
    identify,
    log: { write: () => undefined },
    logLevel: "silent",
  });
  const { method, path, headers, body } = request;
  const answer = await app.inject({
    method: method as "GET",
    url: path,
    headers,
    ...(body && { payload: body }),
  });
  await app.close();
  const shown = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return { status: answer.statusCode, headers: Object.fromEntries(shown), body: answer.rawPayload };
}
