import { failure } from "../errors/errors.ts";
import type { WorkNotes } from "../runtime/noted-work.ts";
import { type Trace, toTrace } from "../runtime/trace.ts";
import type { OpenSpan } from "../runtime/tracing.ts";
import type { Token } from "../store/queries/tokens.ts";

/** A request before its path is matched. */
export interface IncomingRequest {
  /** A UUID from the caller or the server. The answer, the log, and the audit trail name it. */
  id: string;
  method: string;
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  client: Client;
  /** Reads at most 1 MiB. Called after all earlier checks have passed. */
  readBody(): Promise<Uint8Array>;
}

export interface Client {
  /**
   * The other end of the connection, or the client that a trusted proxy names; null in this process and at a unix
   * socket.
   */
  address: string | null;
  /** From TLS or a trusted proxy. */
  scheme?: "http" | "https";
  /** From a trusted proxy. */
  host?: string;
  /** The request has shown a good token. */
  isKnown: boolean;
  token?: Pick<Token, "id" | "name">;
  operation?: string;
  caller?: KnownCaller;
  /** The first segment of a service page's path. */
  page?: string;
  /** The connection is closed, so no answer can arrive. */
  isGone?: () => boolean;
  /** Only where slow requests are logged. */
  work?: WorkNotes;
  /** The time of a stream says nothing about speed. */
  isStream?: boolean;
  span?: OpenSpan;
  /** The request is a part of one that the token has paid for. */
  isPart?: boolean;
  /** The RateLimit header of the token. */
  quota?: string;
}

/** The caller after the tenant check. A public operation has no caller and no tenant. */
export interface KnownCaller {
  operation: string;
  tenantId: number | null;
  userId: number | null;
  version: string;
}

export interface HttpRequest extends IncomingRequest {
  /** The base path of the server. */
  base: string;
  /** Without the query. */
  path: string;
  query: string;
  params: Readonly<Record<string, string>>;
}

/** The trace of the request's span, or else of its headers. */
export const traceOf = ({
  client,
  headers,
  id,
}: Pick<IncomingRequest, "headers" | "id"> & { client: Pick<Client, "span"> }): Trace =>
  client.span?.trace ?? toTrace(headers, id);

/** Throws malformed_request when the client closed its connection while the request waited: nobody would get the answer. */
export function requireClient({ isGone }: Client): void {
  if (isGone?.())
    throw failure("malformed_request", "The client closed the connection before the request started.");
}
