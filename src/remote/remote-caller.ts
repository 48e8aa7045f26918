import { randomUUID } from "node:crypto";
import type { CallAnswer, Caller, CallRequest } from "../core/caller.ts";
import { fillPath } from "../core/fill-path.ts";
import { isRepeatable } from "../core/is-repeatable.ts";
import { type DocumentOutput, isDocument, type Operation, routeOf } from "../core/operation.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { toRequestInput } from "../models/versions/index.ts";
import { aheadOf, type Clock, clockOffsetHeader, systemClock } from "../runtime/clock.ts";
import { makeTrace, toTraceHeaders } from "../runtime/trace.ts";
import { exchange, type Http, openHttp } from "./exchange.ts";

/** A connection to a server: a caller, and what raw requests need. */
export interface Connection {
  caller: Caller;
  /** What the server goes by. */
  clock: Clock;
  tenant: TenantFacts;
  url: string;
  headers: Record<string, string>;
}

interface TenantFacts {
  id: number;
  name: string;
  paper: "letter" | "a4";
  time_zone: string;
}

type ChooseTenant = (tenants: readonly TenantFacts[], wanted: number | string | null) => TenantFacts;

/** How a connection asks. */
export interface Asking {
  /** The same is read again and again: the server sends only what has changed. */
  remembers?: boolean;
  /** Each request has a connection of its own, so that the processes at an address take turns. */
  takesTurns?: boolean;
  /** Hears of requests that are sent again; with null each is sent once. */
  tell?: ((line: string) => void) | null;
}

/**
 * Connects to a server. Without a tenant the token's only one is used; `chooseTenant` decides. Throws target_unreachable
 * or a refusal.
 */
export async function connect(
  baseUrl: string,
  token: string,
  tenant: number | string | null,
  chooseTenant: ChooseTenant,
  { remembers = false, takesTurns = false, tell = () => undefined }: Asking = {},
): Promise<Connection> {
  // All requests of a command are of one trace, so that the server's log shows them together (OP-312).
  const headers = { authorization: `Bearer ${token}`, ...toTraceHeaders(makeTrace()) };
  const http = openHttp(baseUrl, headers, tell, takesTurns);
  try {
    const { clockOffsetMs, takesKeys, tenants } = await listTenants(http);
    const chosen = chooseTenant(tenants, tenant);
    const headers = { ...http.headers, "x-tenant-id": String(chosen.id) };
    const remembered = remembers ? new Map() : null;
    const caller = createRemoteCaller({ ...http, headers, isKnown: true, remembered, takesKeys });
    return { caller, clock: aheadOf(systemClock, clockOffsetMs), tenant: chosen, url: http.url, headers };
  } catch (error) {
    await http.agent.close();
    throw error;
  }
}

/** Connects for operations that anybody may call: nothing is sent of who calls. */
export function connectWithoutToken(baseUrl: string): Pick<Connection, "caller" | "url"> {
  const http = openHttp(baseUrl, toTraceHeaders(makeTrace()), () => undefined);
  return { caller: createRemoteCaller(http), url: http.url };
}

async function listTenants(
  http: Http,
): Promise<{ clockOffsetMs: number; takesKeys: boolean; tenants: TenantFacts[] }> {
  const path = "/tenants?page_limit=1000";
  const { bytes, headers } = await exchange(http, { method: "GET", path, isRepeatable: true });
  const value = parseAnswer(http.url, bytes.toString("utf8"));
  const isPage = typeof value === "object" && value !== null && "results" in value;
  if (!isPage || !Array.isArray(value.results))
    throw failure(
      "target_unreachable",
      `${http.url} answers JSON of another kind; it is no dispatch service.`,
    );
  // Servers that know the header say that it may be sent.
  const takesKeys = /\bidempotency-key\b/i.test(String(headers["access-control-allow-headers"] ?? ""));
  // Servers of earlier programs answer neither.
  const tenants = value.results.map((tenant: TenantFacts) => ({
    ...tenant,
    paper: tenant.paper ?? "letter",
    time_zone: tenant.time_zone ?? "UTC",
  }));
  // A sandbox whose clock was moved says how far.
  const [offset = "0"] = /^-?\d{1,15}$/.exec(String(headers[clockOffsetHeader] ?? "")) ?? [];
  return { clockOffsetMs: Number(offset), takesKeys, tenants };
}

function createRemoteCaller(http: Http): Caller {
  return {
    async call(operation, request): Promise<CallAnswer> {
      const input = toRequestInput(operation.name, request.version, request);
      const path = fillPath(operation, request.params) + toQuery(input.query);
      const key = http.takesKeys && isRepeatable(operation) ? randomUUID() : null;
      const seen = operation.effect === "read" ? http.remembered?.get(path) : undefined;
      const answer = await exchange(http, {
        method: routeOf(operation).method,
        path,
        headers: {
          ...toHeaders(operation, request),
          ...(key !== null && { "idempotency-key": key }),
          ...(seen && { "if-none-match": seen.etag }),
        },
        body: input.body,
        isRepeatable: operation.effect === "read" || key !== null,
      }).catch((error: unknown) => {
        throw isUnknownOperation(error) ? toOlderServer(http.url, operation, error) : error;
      });
      if (isDocument(operation.output))
        return { kind: "file", bytes: requireFile(http.url, operation.output, answer.bytes) };
      if (seen && answer.isUnchanged) return { kind: "json", ...seen };
      const text = answer.bytes.toString("utf8");
      parseAnswer(http.url, text);
      const etag = typeof answer.headers.etag === "string" ? answer.headers.etag : null;
      if (operation.effect === "read" && etag !== null) remember(http, path, { etag, text });
      return { kind: "json", text, etag };
    },
    // What is still under way belongs to a command that was interrupted.
    close: () => {
      http.stopping.abort();
      return http.agent.destroy();
    },
  };
}

const isUnknownOperation = (error: unknown): error is DispatchError =>
  error instanceof DispatchError && error.code === "operation_not_found";

/** This program knows the operation, so it is newer than the one that serves. */
function toOlderServer(url: string, { name }: Operation, error: DispatchError): DispatchError {
  const detail = `${url} has no ${name}: its program is older than this one, and should be upgraded.`;
  return failure("operation_not_found", detail, null, error);
}

/** Keeps the newest answers: of what is asked for again and again there are few. */
function remember({ remembered }: Http, path: string, answer: { etag: string; text: string }): void {
  if (!remembered) return;
  remembered.delete(path);
  remembered.set(path, answer);
  const [oldest] = remembered.keys();
  if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
}

const rememberedMax = 100;

function toQuery(query: CallRequest["query"]): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "" : `?${text}`;
}

function toHeaders(operation: Operation, { version, dryRun, ifMatch }: CallRequest) {
  return {
    accept: isDocument(operation.output)
      ? `${operation.output.mediaType}, application/json`
      : "application/json",
    "x-api-version": version,
    ...(dryRun && { "x-dry-run": "true" }),
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
  };
}

/** Throws target_unreachable for what is not the whole of an answer. */
function parseAnswer(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const what = text === "" ? "an empty body" : "JSON that breaks off or is none";
    throw failure("target_unreachable", `${url} answers ${what}.`, null, error);
  }
}

/** Throws target_unreachable for a document that is none, so that nobody's file takes its place. */
function requireFile(url: string, { mediaType }: DocumentOutput, bytes: Buffer): Buffer {
  if (mediaType === "application/json") parseAnswer(url, bytes.toString("utf8"));
  if (mediaType === "application/json" || bytes.subarray(0, 5).toString("latin1") === "%PDF-") return bytes;
  throw failure("target_unreachable", `${url} answers something else where a PDF was asked for.`);
}
