import { type Fetch, toAnswerHeaders } from "../client/call-types.ts";
import { type ClientOptions, createClient, untyped } from "../client/client.ts";
import { toInput } from "../client/to-input.ts";
import { failure } from "../errors/errors.ts";
import { newestVersion } from "../models/api-versions.ts";
import { type Answering, takeTurn } from "./answer.ts";
import { toKnownCaller } from "./answer-memory.ts";
import { checkContentType, parseTenantId, parseVersion } from "./headers.ts";
import type { HttpAnswer, HttpRequest } from "./http-messages.ts";

/** The second path names toolsets. */
export const mcpPaths: readonly string[] = ["/mcp", "/mcp/x/{toolset}"];

/**
 * Answers POST /mcp, the Model Context Protocol over HTTP, without sessions. A tool calls its operation with a request
 * within this server that has the caller's headers, so the same checks apply.
 */
export function createMcpPage(answering: Answering) {
  const { callers, identify, queues, service } = answering;
  return async (request: HttpRequest, onFault: (error: unknown) => void): Promise<HttpAnswer> => {
    const { headers } = request;
    const turn = queues.placeFor(callers.keyOf(request));
    await takeTurn(turn, request);
    // Leaves the place: requests within this one take places, and must not wait for this one.
    const { countPart, token } = await identify(request, { allow: "token" }).finally(turn.leave);
    checkOrigin(request);
    checkContentType(headers["content-type"]);
    const { toToolChoice, answerMessage } = await import("./mcp-message.ts");
    const choice = toToolChoice(request);
    const toClient = (tenant: number | null, fetch: Fetch) =>
      createClient({ ...always, fetch, tenant, token: null });
    const fetch = askWithin(answering, request, onFault);
    const tenant = await findTenant(toClient(null, fetch), headers["x-tenant-id"]);
    const part = { ...request.client, isPart: true };
    const asTenant = { ...request, client: part, headers: { ...headers, "x-tenant-id": String(tenant.id) } };
    const actor = await (await identify(asTenant, { allow: "anyRole" })).actor();
    const version = parseVersion(headers["x-api-version"], token?.api_version ?? newestVersion);
    request.client.caller = toKnownCaller({ actor, operation: pageName, version });
    const counted: Fetch = (url, init) => {
      countPart?.();
      return fetch(url, init);
    };
    const { roles } = actor;
    const target = { client: toClient(tenant.id, counted), clock: service.clock, isUtc: false, tenant };
    const place = `tenant ${tenant.id}`;
    return answerMessage(request, { ...choice, onFault, place, roles, showsSecrets: false, target, version });
  };
}

/** As logs and metrics name it. */
const pageName = "mcp";

/** In this process no request is lost, and no timeout applies. The host is ignored. */
const always = {
  retries: 0,
  timeoutMs: 2 ** 31 - 1,
  toInput,
  url: "http://localhost",
} satisfies Partial<ClientOptions>;

/**
 * A browser names the origin of a page. A page of another site must not reach a server of a private network (the
 * protocol's section on security).
 */
function checkOrigin({ client, headers }: HttpRequest): void {
  const { origin } = headers;
  const { host = headers.host ?? "", scheme = "http" } = client;
  if (origin === undefined || origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`) return;
  throw failure("origin_not_allowed", "The header Origin names another site.", "origin");
}

function askWithin({ ask }: Answering, request: HttpRequest, onFault: (error: unknown) => void): Fetch {
  const { base, client, headers, id } = request;
  return async (url, { body, headers: given, method }) => {
    const { pathname, search } = new URL(url);
    const own = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]);
    const { authorization } = headers;
    const incoming = {
      client: { ...client, isPart: true },
      headers: { ...Object.fromEntries(own), ...(authorization !== undefined && { authorization }) },
      id,
      method,
      readBody: async () => Buffer.from(body ?? ""),
      url: base + pathname + search,
    };
    const answer = await ask(incoming, onFault);
    const pairs = answer.head.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, answer.head[at + 1] ?? ""]] : [],
    );
    return { status: answer.status, headers: toAnswerHeaders(pairs), body: Buffer.from(answer.body) };
  };
}

interface TenantFacts {
  id: number;
  name: string;
  time_zone: string;
}

/** The tenant of the header, or the only one of the token. Throws missing_header where there are several. */
async function findTenant(
  client: ReturnType<typeof createClient>,
  header: string | undefined,
): Promise<TenantFacts> {
  const wanted = header === undefined ? null : parseTenantId(header);
  const known: TenantFacts[] = [];
  // The newest version of the record has the type of the model.
  for await (const tenant of untyped(client).pages("tenants.list", { query: { page_limit: 1000 } }))
    known.push(tenant as unknown as TenantFacts);
  if (wanted === null && known.length > 1)
    throw failure("missing_header", "x-tenant-id must name one of the token's tenants.", "x-tenant-id");
  const found = known.find(({ id }) => wanted === null || id === wanted);
  if (found) return found;
  throw failure("tenant_not_accessible", "The token has no access to this tenant.", "x-tenant-id");
}
