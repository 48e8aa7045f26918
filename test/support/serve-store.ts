import { openService } from "../../src/core/open-service.ts";
import { startServer } from "../../src/http/serve.ts";

/**
 * Serves a store in this process. Returns the environment in which commands use it with the token. `log` receives
 * each request.
 */
export async function serveStore(data: string, token: string, log?: { write(line: string): void }) {
  const service = openService({ data });
  const server = await startServer(service, {
    delivers: false,
    host: "127.0.0.1",
    port: 0,
    log: log ?? { write() {} },
    logLevel: log ? "info" : "silent",
  });
  return {
    env: { DISPATCH_URL: server.url, DISPATCH_TOKEN: token },
    end: async () => {
      await server.close();
      await service.store.close();
    },
  };
}
