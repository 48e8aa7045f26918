import { setImmediate } from "node:timers/promises";
import { type Fetch, type FetchAnswer, type FetchInit, toAnswerHeaders } from "../client/call-types.ts";
import type { Actor } from "../core/actor.ts";
import type { Operation } from "../core/operation.ts";
import { showsOne, toEntityTag } from "../core/precondition.ts";
import type { Service } from "../core/service.ts";
import { DispatchError, errorKind } from "../errors/errors.ts";
import { loadOperation, type OperationName } from "../operations/index.ts";
import { operationTable } from "../operations/operation-table.ts";
import { answerCall } from "./answer-call.ts";
import { parseVersion } from "./headers.ts";
import type { HttpRequest, IncomingRequest } from "./http-messages.ts";
import { KeysInUse } from "./idempotency-key.ts";

export const localUrl = "http://localhost";

/** A local request never waits for others. */
const place = {
  isShared: () => false,
  leave: () => undefined,
  pause: () => undefined,
  take: () => undefined,
};

/** Runs operations in this process; failures are thrown. `isWhole`, and other paths, return a server's response. */
export function localFetch(service: Service, actor: Actor, { isWhole = false } = {}): Fetch {
  const keysInUse = new KeysInUse();
  const answerOperation = async (operation: Operation, request: HttpRequest): Promise<FetchAnswer> => {
    try {
      const version = parseVersion(request.headers["x-api-version"], null);
      const known = { actor, keysInUse, operation, place, request, service, version };
      const { body, headers, status } = await answerCall(known);
      const bytes = typeof body === "string" ? Buffer.from(body) : body;
      const isTagged = headers.etag === undefined && showsOne(operation);
      const tagged = isTagged ? { ...headers, etag: toEntityTag(bytes) } : headers;
      return { status, headers: toAnswerHeaders(Object.entries(tagged)), body: bytes };
    } catch (failure) {
      const status = failure instanceof DispatchError ? errorKind(failure.code).status : null;
      return { status: status ?? 500, headers: toAnswerHeaders([]), body: null, failure };
    }
  };
  return async (url, init) => {
    // Lets signals arrive between calls.
    await setImmediate();
    const { pathname, search } = new URL(url);
    const incoming = toIncoming(service, init, pathname + search);
    const found = isWhole ? null : findOperation(init.method, pathname);
    if (found) {
      const { name, params } = found;
      const request = { ...incoming, base: "", params, path: pathname, query: search.slice(1) };
      return answerOperation(await loadOperation(name), request);
    }
    const { answerAsServer } = await import("./answer-as-server.ts");
    return answerAsServer(service, actor, incoming, init.signal);
  };
}

function toIncoming(service: Service, { body, headers, method }: FetchInit, url: string): IncomingRequest {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    client: { address: null, isKnown: true },
    headers: Object.fromEntries(named),
    id: service.makeUuid(),
    method,
    readBody: async () => Buffer.from(body ?? ""),
    url,
  };
}

interface Template {
  name: OperationName;
  segments: readonly string[];
}

/** Paths without parameters come first. */
const templates = new Map<string, Template[]>();
for (const [name, { method, path }] of Object.entries(operationTable)) {
  const segments = path.split("/");
  const key = `${method} ${segments.length}`;
  const alike = templates.get(key) ?? [];
  // The table has the names of the operations.
  alike.push({ name: name as OperationName, segments });
  templates.set(
    key,
    alike.sort((one, other) => paramsOf(one).length - paramsOf(other).length),
  );
}

function isParam(segment: string): boolean {
  return segment.startsWith("{");
}

function paramsOf({ segments }: Template): string[] {
  return segments.filter(isParam);
}

function findOperation(method: string, path: string) {
  const given = path.split("/");
  for (const { name, segments } of templates.get(`${method} ${given.length}`) ?? []) {
    if (!segments.every((segment, at) => isParam(segment) || segment === given[at])) continue;
    const values = segments.flatMap((segment, at) =>
      isParam(segment) ? [[segment.slice(1, -1), decodeURIComponent(given[at] ?? "")]] : [],
    );
    return { name, params: Object.fromEntries(values) as Record<string, string> };
  }
  return null;
}
