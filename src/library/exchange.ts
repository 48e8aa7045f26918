import { didYouMean } from "../errors/nearest.ts";
import type { CallOptions, Exchange } from "./call-types.ts";
import { DispatchError, type Violation } from "./dispatch-error.ts";
import { operationTable } from "./operation-table.ts";
import { errorBodyOf, type Received, type Sending, send, toUnreachableError } from "./send.ts";
import type { ClientOperation } from "./to-operation-table.ts";
import type { AnyOperation } from "./wire.ts";

/** What all requests of a client have in common. */
export interface Connection extends Pick<Sending, "fetch" | "retries" | "timeoutMs"> {
  headers: Readonly<Record<string, string>>;
  /** Without a slash at its end. */
  url: string;
}

/** A request, when its operation is known only as the program runs. */
export type UntypedRequest = AnyOperation["input"] & CallOptions;

/** Calls an operation by its name. Throws a DispatchError. */
export async function exchange(
  connection: Connection,
  name: string,
  request: UntypedRequest = {},
): Promise<Exchange<unknown>> {
  const operation = requireOperation(name);
  const path = toPath(name, operation, request.params ?? {}) + toQuery(request.query ?? {});
  const { isKeyed = false, isRead = false } = operation.traits;
  const received = await send({
    fetch: connection.fetch,
    init: {
      method: operation.method,
      headers: toHeaders(connection, operation, request),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    },
    isRepeatable: isRead || isKeyed,
    retries: connection.retries,
    signal: request.signal,
    timeoutMs: request.timeoutMs ?? connection.timeoutMs,
    url: connection.url + path,
  });
  return toExchange(connection, received);
}

/** The operation of a name. Throws a DispatchError that names the nearest one. */
export function requireOperation(name: string): ClientOperation {
  const operation = Object.hasOwn(operationTable, name) ? operationTable[name] : undefined;
  if (operation) return operation;
  const hint = didYouMean(String(name), Object.keys(operationTable));
  throw misuse("operation_not_found", `There is no operation "${name}".${hint}`, null);
}

function misuse(code: Violation["code"], detail: string, field: string | null): DispatchError {
  return new DispatchError([{ code, detail, field }], { requestId: null, status: null });
}

function toPath(name: string, { path }: ClientOperation, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, param: string) => {
    const value = params[param];
    if (value === undefined || value === null || value === "")
      throw misuse("missing_value", `${name} needs params.${param}.`, param);
    const text = String(value);
    // In an address they lead to another path, in whatever form they are written (WHATWG URL, 4.3).
    if (text === "." || text === "..")
      throw misuse("invalid_text", `${name}: params.${param} cannot be "${text}".`, param);
    return encodeURIComponent(text);
  });
}

/** The query of an address, with its question mark; empty without parameters. */
export function toQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

function toHeaders(
  { headers }: Connection,
  { traits }: ClientOperation,
  { body, dryRun, idempotencyKey, ifMatch }: UntypedRequest,
): Record<string, string> {
  const { authorization: _token, "x-tenant-id": _tenant, ...always } = headers;
  return {
    // What anybody may call is told nothing of who calls.
    ...(traits.isPublic ? always : headers),
    accept: "application/json, application/pdf",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(dryRun && { "x-dry-run": "true" }),
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
    ...(traits.isKeyed && { "idempotency-key": idempotencyKey ?? makeKey() }),
  };
}

/** A random name for a write. `crypto.randomUUID` is there on secure pages only. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toExchange({ url }: Connection, received: Received): Exchange<unknown> {
  const { bytes, headers, status } = received;
  const requestId = headers.get("x-request-id");
  if (status < 200 || status >= 300) throw toRefusal(url, received);
  const isDocument = headers.get("content-type")?.startsWith("application/pdf") === true;
  const answer = isDocument ? bytes : parseAnswer(url, received);
  return { answer, etag: headers.get("etag"), headers, requestId, status };
}

/** The JSON of an answer. Throws a DispatchError for anything else. */
export function parseAnswer(url: string, received: Received): unknown {
  const type = received.headers.get("content-type") ?? "nothing";
  try {
    if (type.startsWith("application/json")) return JSON.parse(new TextDecoder().decode(received.bytes));
  } catch (error) {
    throw toUnreachableError(`${url} answers JSON that breaks off or is none.`, received, error);
  }
  throw toUnreachableError(`${url} answers ${type} instead of JSON; it is no dispatch service.`, received);
}

/** The error of an answer that is no success. */
export function toRefusal(url: string, received: Received): DispatchError {
  const body = errorBodyOf(received);
  const { headers, status } = received;
  if (body) return new DispatchError(body.violations, { requestId: headers.get("x-request-id"), status });
  const location = headers.get("location");
  // A browser does not tell where a redirect leads.
  const isRedirect = status === 0 || (status < 400 && location !== null);
  const what = isRedirect
    ? `sends on to ${location ?? "another address"}`
    : `answers with status ${status} and no error of a dispatch service`;
  return toUnreachableError(`${url} ${what}.`, received);
}
