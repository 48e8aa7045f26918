import type { FastifyInstance } from "fastify";
import type { Service } from "../service.ts";
import { isApiVersion, newestVersion } from "../versions/api-versions.ts";

/** Pages beside the interface, for machines that watch over the server; they need no token. */
export function addServicePages(app: FastifyInstance, service: Service): void {
  app.get("/healthz", async () => ({ status: "up" }));
  app.get("/readyz", async (_request, reply) => {
    try {
      await service.store.accounts.tenants();
      return { status: "ready" };
    } catch {
      return reply.code(503).send({ status: "the store cannot be reached" });
    }
  });
  app.get<{ Querystring: { version?: string } }>("/openapi.json", async (request, reply) => {
    const version = request.query.version ?? newestVersion;
    if (!isApiVersion(version))
      return reply.code(400).send({ detail: "version must be a version of the interface." });
    const { toOpenapi } = await import("../openapi/document.ts");
    const { loadOperations } = await import("../operations/index.ts");
    return toOpenapi(await loadOperations(), version);
  });
}
