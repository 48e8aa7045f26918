import { randomUUID } from "node:crypto";
import { Agent, request as send } from "undici";
import type { CallAnswer, Caller, CallRequest } from "../core/caller.ts";
import { isRepeatable } from "../core/is-repeatable.ts";
import { isDocument, type Operation } from "../core/operation.ts";
import type { RequestCure } from "../errors/cure.ts";
import { DispatchError, type ErrorBody, errorTable, failure, type Violation } from "../errors/errors.ts";
import { newestVersion } from "../models/api-versions.ts";
import { toRequestInput } from "../versions/index.ts";
import { readAnswer, readSent } from "./read-answer.ts";
import { codeOf, type Outcome, type Sending, sendAgain } from "./send-again.ts";

/** A connection to a server: a caller, and what raw requests need. */
export interface Connection {
  caller: Caller;
  tenant: TenantFacts;
  url: string;
  headers: Record<string, string>;
}

interface TenantFacts {
  id: number;
  name: string;
  time_zone: string;
}

type ChooseTenant = (tenants: readonly TenantFacts[], wanted: number | null) => TenantFacts;

/**
 * Connects to a server. Without a tenant the token's only one is used; `chooseTenant` decides. `tell` hears of requests
 * that are sent again; with null each is sent once. Throws target_unreachable or a refusal.
 */
export async function connect(
  baseUrl: string,
  token: string,
  tenant: number | null,
  chooseTenant: ChooseTenant,
  tell: ((line: string) => void) | null = () => undefined,
): Promise<Connection> {
  const http = openHttp(baseUrl, { authorization: `Bearer ${token}` }, tell);
  try {
    const { takesKeys, tenants } = await listTenants(http);
    const chosen = chooseTenant(tenants, tenant);
    const headers = { ...http.headers, "x-tenant-id": String(chosen.id) };
    const caller = createRemoteCaller({ ...http, headers, isKnown: true, takesKeys });
    return { caller, tenant: chosen, url: http.url, headers };
  } catch (error) {
    await http.agent.close();
    throw error;
  }
}

/** Connects for operations that anybody may call: nothing is sent of who calls. */
export function connectWithoutToken(baseUrl: string): Pick<Connection, "caller" | "url"> {
  const http = openHttp(baseUrl, {}, () => undefined);
  return { caller: createRemoteCaller(http), url: http.url };
}

/** Sends a request as it is and gives whatever comes back. Throws target_unreachable when nothing does, and answer_too_large. */
export async function sendRaw(
  baseUrl: string,
  {
    method,
    path,
    headers,
    body,
  }: { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined },
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  try {
    const answer = await send(baseUrl + path, { method: method as "GET", headers, ...(body && { body }) });
    const shown = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const bytes = await readSent(baseUrl, answer);
    return { status: answer.statusCode, headers: Object.fromEntries(shown), body: bytes };
  } catch (error) {
    if (error instanceof DispatchError) throw error;
    throw failure("target_unreachable", `${baseUrl} cannot be reached: ${toReason(error)}.`, null, error);
  }
}

interface Http extends Pick<Sending, "isKnown"> {
  /** Hears of requests that are sent again; with null each is sent once. */
  tell: Sending["tell"] | null;
  agent: Agent;
  headers: Record<string, string>;
  /** The server carries a write out once for its Idempotency-Key. Older ones do not know the header. */
  takesKeys: boolean;
  /** Ends what waits to be sent again. */
  stopping: AbortController;
  url: string;
}

function openHttp(baseUrl: string, headers: Http["headers"], tell: Http["tell"]): Http {
  const url = parseBaseUrl(baseUrl);
  const agent = new Agent({ connectTimeout: 10_000, headersTimeout: 60_000, bodyTimeout: 60_000 });
  return {
    agent,
    headers,
    url,
    isKnown: false,
    stopping: new AbortController(),
    takesKeys: false,
    tell,
  };
}

/** The address of a server, without a slash at its end. Throws a usage error. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw failure(
      "usage",
      `--url must be the address of a server, like http://127.0.0.1:8080, not "${text}".`,
    );
  }
  return text.replace(/\/+$/, "");
}

async function listTenants(http: Http): Promise<{ takesKeys: boolean; tenants: TenantFacts[] }> {
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
  // Servers of earlier programs answer no time zone.
  const tenants = value.results.map((tenant: TenantFacts) => ({
    ...tenant,
    time_zone: tenant.time_zone ?? "UTC",
  }));
  return { takesKeys, tenants };
}

function createRemoteCaller(http: Http): Caller {
  return {
    async call(operation, request): Promise<CallAnswer> {
      const input = toRequestInput(operation.name, request.version, request);
      const path = toPath(operation, request.params) + toQuery(input.query);
      const key = http.takesKeys && isRepeatable(operation) ? randomUUID() : null;
      const answer = await exchange(http, {
        method: operation.method,
        path,
        headers: { ...toHeaders(operation, request), ...(key !== null && { "idempotency-key": key }) },
        body: input.body,
        isRepeatable: operation.effect === "read" || key !== null,
      });
      if (isDocument(operation.output)) return { kind: "file", bytes: requirePdf(http.url, answer.bytes) };
      const text = answer.bytes.toString("utf8");
      parseAnswer(http.url, text);
      const { etag } = answer.headers;
      return { kind: "json", text, etag: typeof etag === "string" ? etag : null };
    },
    // What is still under way belongs to a command that was interrupted.
    close: () => {
      http.stopping.abort();
      return http.agent.destroy();
    },
  };
}

function toPath(operation: Operation, params: CallRequest["params"]): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

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

interface Answer {
  bytes: Buffer;
  headers: Record<string, string | string[] | undefined>;
}

/** What an operation's request needs besides its body, and whether nothing is done twice when it is sent again. */
interface Exchanged {
  method: Operation["method"];
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  isRepeatable: boolean;
}

/** One request and its answer; it is sent again where that helps and does no harm. */
async function exchange(
  http: Http,
  { method, path, headers, body, isRepeatable }: Exchanged,
): Promise<Answer> {
  const request = {
    dispatcher: http.agent,
    method,
    headers: {
      "x-api-version": newestVersion,
      ...http.headers,
      ...headers,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const attempt = async (): Promise<Outcome> => {
    try {
      const answer = await send(http.url + path, request);
      const bytes = await readAnswer(http.url, answer);
      return { status: answer.statusCode, headers: answer.headers, bytes };
    } catch (error) {
      // An answer that is too large is as large the next time.
      if (error instanceof DispatchError) throw error;
      return { error };
    }
  };
  const { isKnown, tell, stopping } = http;
  const outcome = tell
    ? await sendAgain(attempt, { isKnown, isRepeatable, signal: stopping.signal, tell })
    : await attempt();
  if ("error" in outcome) {
    const why = toReason(outcome.error);
    throw failure("target_unreachable", `${http.url} cannot be reached: ${why}.`, null, outcome.error);
  }
  const { bytes, headers: answered, status } = outcome;
  if (status >= 300) throw toRefusal(http.url, status, answered.location, bytes);
  checkIsOurs(http.url, answered["content-type"]);
  return { bytes, headers: answered };
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

function checkIsOurs(url: string, mediaType: unknown): void {
  if (typeof mediaType === "string" && /^application\/(json|pdf)/.test(mediaType)) return;
  throw failure(
    "target_unreachable",
    `${url} answers ${String(mediaType ?? "nothing")} instead of JSON; it is no dispatch service.`,
  );
}

/** A refusal as the server told it: its codes are this program's own table. */
export class RemoteRefusal extends DispatchError {
  readonly body: ErrorBody;

  constructor(body: ErrorBody, violations: readonly [Violation, ...Violation[]]) {
    super(violations);
    this.body = body;
  }
}

function toRefusal(url: string, status: number, location: unknown, bytes: Buffer): DispatchError {
  const body = parseErrorBody(bytes);
  const [first, ...rest] = body?.errors.map(toViolation) ?? [];
  if (body && first) return new RemoteRefusal(body, [first, ...rest]);
  // A token is not sent to a place that nobody named.
  if (status < 400 && typeof location === "string")
    return failure(
      "target_unreachable",
      `${url} sends on to ${location}; name that with --url if it is right.`,
    );
  return failure(
    "target_unreachable",
    `${url} answers with status ${status} and no error that this program knows.`,
  );
}

function parseErrorBody(bytes: Buffer): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    const isError =
      typeof body === "object" && body !== null && "errors" in body && Array.isArray(body.errors);
    return isError ? (body as ErrorBody) : null;
  } catch {
    return null;
  }
}

/** A newer server may know more codes; what they say is shown all the same. */
function toViolation({ code, detail, field, see }: ErrorBody["errors"][number]): Violation {
  const isKnown = Object.hasOwn(errorTable, code);
  return {
    code: isKnown ? (code as Violation["code"]) : "internal",
    detail,
    field,
    ...(isRequestCure(see) && { see }),
  };
}

/** Older servers send no cure, and newer ones may send what this program does not know. */
function isRequestCure(see: unknown): see is RequestCure {
  if (typeof see !== "object" || see === null || !("method" in see) || !("path" in see)) return false;
  const hasBody = !("body" in see) || (typeof see.body === "object" && see.body !== null);
  return typeof see.method === "string" && typeof see.path === "string" && hasBody;
}

function toReason(error: unknown): string {
  const code = codeOf(error);
  const reasons: Record<string, string> = {
    ECONNREFUSED: "the connection is refused",
    ENOTFOUND: "the name is not known",
    UND_ERR_CONNECT_TIMEOUT: "no connection within 10 s",
    UND_ERR_HEADERS_TIMEOUT: "no answer within 60 s",
  };
  return reasons[code] ?? (error instanceof Error && error.message !== "" ? error.message : code);
}

/** Throws target_unreachable for a document that is none, so that nobody's file takes its place. */
function requirePdf(url: string, bytes: Buffer): Buffer {
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") return bytes;
  throw failure("target_unreachable", `${url} answers something else where a PDF was asked for.`);
}
