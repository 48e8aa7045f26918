import { onTestFinished } from "vitest";
import type { Service } from "../../src/core/service.ts";
import { identifyByToken } from "../../src/http/identify.ts";
import { buildServer, type ServerOptions } from "../../src/http/server.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";

/**
 * Serves a service without a log until the test ends. Tokens identify callers. The options limit attempts and
 * requests. Clients must use the address in `origin`.
 */
export async function openQuietServer(
  service: Service,
  options: Partial<Omit<ServerOptions, "log" | "logLevel">> = {},
): Promise<HttpClient> {
  const server = await buildServer(service, {
    identify: identifyByToken(service, options.attempts, options.rateLimits),
    ...options,
    log: { write: () => undefined },
    logLevel: "silent",
  });
  const client = createHttpClient(await server.listen({ host: "127.0.0.1", port: 0 }));
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}
