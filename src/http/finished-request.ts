import { maskTokens } from "../core/tokens.ts";
import { type Client, type IncomingRequest, traceOf } from "./http-messages.ts";

/** For the log, metrics, and recorder. Names are keys of the log. Never has headers, bodies, or queries. */
export interface FinishedRequest {
  request_id: string;
  trace_id: string;
  operation: string | null;
  /** Verified by the server, like the next two. */
  tenant_id: number | null;
  user_id: number | null;
  token_id: number | null;
  client_ip: string | null;
  /** The version of the response. */
  version: string | null;
  /** null, like `path`, for bytes that are not a request. */
  method: string | null;
  path: string | null;
  /** 499 if the client did not get the whole response. */
  status: number;
  code: string | null;
  /** null if the response was not sent completely. */
  bytes: number | null;
  /** From the head of the request to the end of the response. */
  duration_ms: number | null;
}

export type OnOver = (finished: FinishedRequest, client: Client) => void;

/** nginx uses the same status. */
export const abortedStatus = 499;

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

/** Longer than any path of the interface, but too short to fill the log's disk. */
const pathCharsMax = 512;

export function toOwnPath(url: string): string {
  const end = url.indexOf("?");
  const path = maskTokens(end < 0 ? url : url.slice(0, end));
  if (url.length <= pathCharsMax) return path;
  const shown = path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}…` : path;
  // V8 keeps the whole string for a slice, so this copies the slice.
  return Buffer.from(shown).toString();
}
