import { maskTokens } from "../auth/tokens.ts";
import { type Client, type IncomingRequest, traceOf } from "./http-request.ts";

/**
 * The facts of a finished request, for the log, the metrics, and the recorder. The names are the keys of the log; null
 * is unknown. Never a header, a body, or a query.
 */
export interface FinishedRequest {
  request_id: string;
  trace_id: string;
  operation: string | null;
  /** The server has verified these three. */
  tenant_id: number | null;
  user_id: number | null;
  token_id: number | null;
  client_ip: string | null;
  /** The version of the answer. */
  version: string | null;
  /** Bytes that are not a request have neither. */
  method: string | null;
  path: string | null;
  /** 499 when the client did not get the whole answer. */
  status: number;
  /** The code of the error in the answer. */
  code: string | null;
  /** The bytes of the sent body; null when the answer was not sent to its end. */
  bytes: number | null;
  /** From the head of the request to the end of the answer. */
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

/** Longer than any path of the interface. A longer one could fill the log's disk. */
const pathCharsMax = 512;

export function toOwnPath(url: string): string {
  const end = url.indexOf("?");
  const path = maskTokens(end < 0 ? url : url.slice(0, end));
  if (url.length <= pathCharsMax) return path;
  const shown = path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}…` : path;
  // V8 keeps the whole address for a slice of it, so this copies the slice.
  return Buffer.from(shown).toString();
}
