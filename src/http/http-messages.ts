import { failure, type Violation } from "../errors/errors.ts";
import type { WorkNotes } from "../runtime/noted-work.ts";
import { type Trace, toTrace } from "../runtime/trace.ts";
import type { OpenSpan } from "../runtime/tracing.ts";
import type { Token } from "../store/queries/tokens.ts";

/** A request before its path is matched. */
export interface IncomingRequest {
  /** A UUID of the caller or the server, for the response, the log, and the audit trail. */
  id: string;
  method: string;
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  client: Client;
  readBody(): Promise<Uint8Array>;
}

export interface Client {
  /** The peer, or the client that a trusted proxy names; null in this process and at a unix socket. */
  address: string | null;
  /** From TLS or a trusted proxy. */
  scheme?: "http" | "https";
  /** From a trusted proxy. */
  host?: string;
  /** The request has a valid token. */
  isKnown: boolean;
  token?: Pick<Token, "id" | "name">;
  operation?: string;
  caller?: KnownCaller;
  /** The first segment of a service page's path. */
  page?: string;
  /** The connection is closed, so no response can arrive. */
  isGone?: () => boolean;
  work?: WorkNotes;
  /** The duration of a stream says nothing about speed. */
  isStream?: boolean;
  span?: OpenSpan;
  /** The request is a part of one that the token has paid for. */
  isPart?: boolean;
  /** The RateLimit header of the token. */
  quota?: string;
}

export interface KnownCaller {
  operation: string;
  tenantId: number | null;
  userId: number | null;
  version: string;
}

export interface HttpRequest extends IncomingRequest {
  base: string;
  path: string;
  query: string;
  params: Readonly<Record<string, string>>;
}

export const traceOf = ({
  client,
  headers,
  id,
}: Pick<IncomingRequest, "headers" | "id"> & { client: Pick<Client, "span"> }): Trace =>
  client.span?.trace ?? toTrace(headers, id);

export function requireClient({ isGone }: Client): void {
  if (isGone?.())
    throw failure("malformed_request", "The client closed the connection before the request started.");
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string;
  /** Sent only if `headers` has it. */
  etag?: string;
  code?: string;
  /** Replaces the body. */
  stream?: OpenStream;
}

/** A response that lasts until one side ends it. */
export interface OpenStream {
  start(sink: Sink): void;
  /** Ends the stream with a farewell, because the server closes. */
  end(): void;
}

export interface Sink {
  /** Returns false if the sender should wait for `onDrain`. */
  write(text: string): boolean;
  onDrain(listener: () => void): void;
  onClose(listener: () => void): void;
  /** Ends after the sent texts; `cut` closes the connection at once. */
  end(options?: { cut?: boolean }): void;
}

/** A flat list of headers: node:http writes it 8 µs faster than an object. */
export interface FullAnswer {
  status: number;
  head: string[];
  body: Uint8Array | string;
  code?: string | undefined;
  /** A sandbox request asked the server to close the connection without a response. */
  isDropped?: true;
  stream?: OpenStream;
}

export const unansweredRequest: FullAnswer = { status: 0, head: [], body: "", isDropped: true };

export function toFullAnswer(
  { status, headers, body, code, stream }: HttpAnswer,
  method: string,
): FullAnswer {
  const head: string[] = [];
  for (const [name, value] of Object.entries(headers)) head.push(name, value);
  if (stream) return { status, head, body, stream };
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  if (bytes > 0 || (status !== 304 && method !== "HEAD")) head.push("content-length", String(bytes));
  return code === undefined ? { status, head, body } : { status, head, body, code };
}

export interface ParsedQuery {
  values: Record<string, string>;
  /** Repeated names, and escapes that are not UTF-8. */
  violations: Violation[];
}

/** The caller reports the violations, because the order of checks decides when. */
export function parseQuery(query: string): ParsedQuery {
  const values = new Map<string, string>();
  const violations: Violation[] = [];
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? "" : decode(pair.slice(at + 1));
    if (name === null || value === null) {
      const detail = "The query has an escape that is not UTF-8.";
      violations.push({ code: "malformed_url", detail, field: name });
      continue;
    }
    if (values.has(name)) {
      violations.push({
        code: "repeated_parameter",
        detail: `${name} is given more than once.`,
        field: name,
      });
    }
    values.set(name, value);
  }
  return { values: Object.fromEntries(values), violations };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
