import { DispatchError, type Violation } from "../errors/dispatch-error.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { operationTable } from "../operations/operation-table.ts";
import type { ClientOperation } from "../operations/to-operation-table.ts";
import type { CallOptions } from "./call-types.ts";
import { type Received, toFacts, toRefusal, toServerError } from "./refusal.ts";
import { type Sending, send } from "./send.ts";
import type { UntypedExchange, UntypedRequest } from "./untyped.ts";

export interface Connection extends Limits, Pick<Sending, "fetch" | "onRetry" | "retries" | "signal"> {
  headers: Readonly<Record<string, string>>;
  makeKey: (() => string) | null;
  onError: (error: DispatchError, operation: string) => unknown;
  toInput: (operation: string, version: ApiVersion, request: UntypedRequest) => UntypedRequest;
  /** Without a slash at its end. */
  url: string;
  version: ApiVersion;
}

/** Throws a DispatchError. */
export async function exchange(
  connection: Connection,
  name: string,
  request: UntypedRequest = {},
): Promise<UntypedExchange> {
  try {
    return await callOnce(connection, name, request);
  } catch (error) {
    throw error instanceof DispatchError ? await connection.onError(error, name) : error;
  }
}

async function callOnce(
  connection: Connection,
  name: string,
  request: UntypedRequest,
): Promise<UntypedExchange> {
  const operation = requireOperation(name);
  const { fetch, onRetry, retries, signal: always, toInput, url, version } = connection;
  const sent = toInput(name, request.version ?? version, request);
  const { isKeyed = false, isRead = false } = operation.traits;
  const headers = toHeaders(connection, operation, sent);
  const received = await send({
    ...toLimits(request, connection),
    fetch,
    init: {
      method: operation.method,
      headers,
      ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    },
    isRepeatable: isRead || (isKeyed && "idempotency-key" in headers),
    onRetry,
    path: toPath(name, operation, sent.params ?? {}) + toQuery(sent.query ?? {}),
    retries,
    signal: always && request.signal ? AbortSignal.any([always, request.signal]) : (request.signal ?? always),
    url,
  });
  return toExchange(connection, received);
}

interface Limits {
  deadlineMs: number;
  timeoutMs: number;
}

/** Throws a RangeError. */
export function toLimits(given: Pick<CallOptions, keyof Limits>, otherwise: Limits): Limits {
  const { deadlineMs = otherwise.deadlineMs, timeoutMs = otherwise.timeoutMs } = given;
  for (const [name, ms] of Object.entries({ deadlineMs, timeoutMs }))
    if (!(ms > 0)) throw new RangeError(`${name} must be a number of milliseconds above 0, not ${ms}.`);
  return { deadlineMs, timeoutMs };
}

/** Throws a DispatchError that lists similar names. */
export function requireOperation(name: string): ClientOperation {
  const operation = Object.hasOwn(operationTable, name) ? operationTable[name] : undefined;
  if (operation) return operation;
  const alike = Object.keys(operationTable).filter((known) => known.startsWith(String(name).slice(0, 3)));
  const hint = alike.length > 0 ? `; there are ${alike.join(", ")}` : "";
  throw misuse("operation_not_found", `There is no operation "${name}"${hint}.`, null);
}

const misuse = (code: Violation["code"], detail: string, field: string | null) =>
  new DispatchError([{ code, detail, field }]);

export function toPath(
  name: string,
  { path }: Pick<ClientOperation, "path">,
  params: Readonly<Record<string, unknown>>,
): string {
  return path.replace(/\{(\w+)\}/g, (_, param: string) => {
    const value = params[param];
    if (value === undefined || value === null || value === "")
      throw misuse("missing_value", `${name} needs params.${param}.`, param);
    const text = String(value);
    // In a URL `.` and `..`, encoded or not, lead to another path (WHATWG URL, 4.3).
    if (text === "." || text === "..") throw misuse("invalid_text", `${param} cannot be "${text}".`, param);
    return encodeURIComponent(text);
  });
}

/** With its question mark; empty without parameters. */
export function toQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

function toHeaders(
  { headers, makeKey }: Connection,
  { traits }: ClientOperation,
  { body, dryRun, idempotencyKey, ifMatch, version }: UntypedRequest,
): Record<string, string> {
  const { authorization: _token, "x-tenant-id": _tenant, ...always } = headers;
  const key = traits.isKeyed ? (idempotencyKey ?? makeKey?.()) : undefined;
  return {
    ...(traits.isPublic ? always : headers),
    accept: "application/json, application/pdf",
    ...(version !== undefined && { "x-api-version": version }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(dryRun && { "x-dry-run": "true" }),
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
    ...(key !== undefined && { "idempotency-key": key }),
  };
}

/** `crypto.randomUUID` exists on secure pages only. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toExchange({ url }: Connection, received: Received): UntypedExchange {
  const { bytes, headers, status } = received;
  if (status < 200 || status >= 300) throw toRefusal(url, received);
  const isDocument = headers.get("content-type")?.startsWith("application/pdf") === true;
  const answer = isDocument ? requirePdf(url, received) : parseAnswer(url, received);
  const { requestId = null } = toFacts(received);
  // The global fetch returns full Headers; our own fetches return the part that the client uses.
  return { answer, bytes, etag: headers.get("etag"), headers: headers as Headers, requestId, status };
}

/** Throws a DispatchError unless the response is JSON. */
export function parseAnswer(url: string, received: Received): unknown {
  const type = received.headers.get("content-type") ?? "nothing";
  try {
    if (type.startsWith("application/json")) return JSON.parse(new TextDecoder().decode(received.bytes));
  } catch (error) {
    const what = received.bytes.length === 0 ? "an empty body" : "invalid JSON";
    throw toServerError("not_a_service", `${url} answers ${what}.`, { ...received, cause: error });
  }
  const detail = `${url} answers ${type} instead of JSON; it is not a dispatch service.`;
  throw toServerError("not_a_service", detail, received);
}

function requirePdf(url: string, received: Received): Uint8Array {
  if (new TextDecoder().decode(received.bytes.subarray(0, 5)) === "%PDF-") return received.bytes;
  throw toServerError("not_a_service", `${url} answers something else instead of a PDF.`, received);
}
