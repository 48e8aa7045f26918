import { onTestFinished } from "vitest";
import type { Service } from "../../src/core/service.ts";
import { identifyByToken } from "../../src/http/identify.ts";
import { buildServer, type ServerOptions } from "../../src/http/server.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";

type QuietOptions = Partial<Omit<ServerOptions, "log" | "logLevel">>;

/** Serves a service without a log until the test ends, or until `close`. Tokens identify callers. */
export async function serveQuietly(service: Service, options: QuietOptions = {}) {
  const server = await buildServer(service, {
    identify: identifyByToken(service, options.attempts, options.rateLimits),
    ...options,
    log: { write: () => undefined },
    logLevel: "silent",
  });
  const origin = await server.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  return { origin, close: () => server.close() };
}

/** The same, with a client. The options limit attempts and requests. Clients must use the address in `origin`. */
export async function openQuietServer(service: Service, options: QuietOptions = {}): Promise<HttpClient> {
  const { close, origin } = await serveQuietly(service, options);
  const client = createHttpClient(origin);
  onTestFinished(async () => {
    await client.close();
    await close();
  });
  return client;
}
