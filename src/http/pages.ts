import type { FastifyInstance } from "fastify";
import { DispatchError } from "../errors.ts";
import { loadOperations } from "../operations/index.ts";
import type { Service } from "../service.ts";
import { authenticate, toTenantActor } from "../tokens.ts";
import { type ApiVersion, isApiVersion, newestVersion } from "../versions/api-versions.ts";
import { toErrorAnswer } from "./answer.ts";
import { parseTenantId } from "./headers.ts";

/** Pages beside the interface: for machines that watch over the server, and for clients that find their way. */
export function addServicePages(app: FastifyInstance, service: Service): void {
  app.get("/healthz", async () => ({ status: "up" }));

  app.get("/readyz", async (_request, reply) => {
    try {
      await service.store.check();
      // Deliveries that grow old tell of a worker that has stopped.
      const oldest = await service.store.accounts.oldestPendingDelivery();
      return { status: "ready", oldest_pending_delivery: oldest };
    } catch (error) {
      const reason = error instanceof DispatchError ? error.message : "the store answers with an error";
      return reply
        .code(503)
        .header("retry-after", "1")
        .send({ status: "the store cannot be reached", reason });
    }
  });

  // Made once a version: it is the same for everyone, and anyone may ask for it.
  const documents = new Map<ApiVersion, string>();
  app.get<{ Querystring: { version?: string } }>("/openapi.json", async (request, reply) => {
    const version = request.query.version ?? newestVersion;
    if (!isApiVersion(version))
      return reply.code(400).send({ detail: "version must be a version of the interface." });
    const text = documents.get(version) ?? (await writeDocument(version));
    documents.set(version, text);
    return reply.type("application/json").send(Buffer.from(text));
  });

  // What `whoami` asks a server: a token says nothing about its user.
  app.get("/whoami", async (request, reply) => {
    try {
      const token = await authenticate(service, request.headers.authorization);
      const actor = await toTenantActor(
        service,
        token,
        parseTenantId(request.headers["x-tenant-id"]?.toString()),
      );
      const { user, roles } = actor;
      return { user: user.username, roles, token_id: token.id, token_expires_on: token.expires_on };
    } catch (error) {
      const answer = toErrorAnswer(error, request.id, { headers: {}, path: "/whoami" });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    }
  });
}

async function writeDocument(version: ApiVersion): Promise<string> {
  const { toOpenapi } = await import("../openapi/document.ts");
  return JSON.stringify(toOpenapi(await loadOperations(), version));
}
