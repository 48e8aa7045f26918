import { failure } from "../errors/errors.ts";
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
