import { maskTokens } from "../auth/tokens.ts";
import { type Client, type IncomingRequest, traceOf } from "./http-request.ts";

/**
 * What is known of a request when it is over, made once for all who tell of it: the log, the figures, the trail of answered
 * requests. Its names are the log's keys (OP-307); null is what was not found out. Neither a header, a body nor a query.
 */
export interface FinishedRequest {
  request_id: string;
  trace_id: string;
  operation: string | null;
  /** These three are verified, never what a request claims. */
  tenant_id: number | null;
  user_id: number | null;
  token_id: number | null;
  client_ip: string | null;
  /** The API version that the caller was answered in. */
  version: string | null;
  /** These two are not known of bytes that are no request. */
  method: string | null;
  path: string | null;
  /** 499 when the answer was not sent to its end (`abortedStatus`). */
  status: number;
  /** Of the error that was answered. */
  code: string | null;
  /** Of the answer's body, as it was sent; of an answer that was not sent to its end nobody knows. */
  bytes: number | null;
  /** From the head of the request to the end of the answer. */
  duration_ms: number | null;
}

/** Told of each request when it is over, and where it came from. */
export type OnOver = (finished: FinishedRequest, client: Client) => void;

/** The connection ended before the answer was whole, as nginx says it. */
export const abortedStatus = 499;

/** What the sender and the answer say of a request; `ms` is how long it took. */
export interface Ending extends Pick<FinishedRequest, "bytes" | "method" | "status"> {
  requestId: string;
  headers: IncomingRequest["headers"];
  code: string | undefined;
  ms: number | null;
  url: string | null;
}

export function toFinishedRequest(
  { bytes, code, headers, method, ms, requestId, status, url }: Ending,
  client: Client,
): FinishedRequest {
  const { address, caller, operation, token } = client;
  return {
    request_id: requestId,
    trace_id: traceOf({ client, headers, id: requestId }).id,
    operation: caller?.operation ?? operation ?? null,
    tenant_id: caller?.tenantId ?? null,
    user_id: caller?.userId ?? null,
    token_id: token?.id ?? null,
    client_ip: address,
    version: caller?.version ?? null,
    method,
    path: url === null ? null : toOwnPath(url),
    status,
    code: code ?? null,
    bytes,
    duration_ms: ms === null ? null : Math.round(ms * 10) / 10,
  };
}

/** Longer than any path of the interface; the rest of a longer one would be a stranger's way to fill the disk of the log. */
const pathCharsMax = 512;

/** The part of an address before its query, without tokens and the rest of a long one. */
export function toOwnPath(url: string): string {
  const end = url.indexOf("?");
  const path = maskTokens(end < 0 ? url : url.slice(0, end));
  if (url.length <= pathCharsMax) return path;
  const shown = path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}…` : path;
  // A piece of a text holds all of the text, so that of a long address is copied.
  return Buffer.from(shown).toString();
}
