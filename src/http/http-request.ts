import { failure } from "../errors/errors.ts";
import type { WorkNotes } from "../runtime/noted-work.ts";
import { type Trace, toTrace } from "../runtime/trace.ts";
import type { OpenSpan } from "../runtime/tracing.ts";
import type { Token } from "../store/queries/tokens.ts";

/** A request as it arrived; its path is still to be matched. */
export interface IncomingRequest {
  /** A UUID, the caller's or a fresh one; the answer, the log and the audit trail name it. */
  id: string;
  method: string;
  /** With the query. */
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  client: Client;
  /** Reads the body, at most 1 MiB. Called once all earlier checks have passed. */
  readBody(): Promise<Uint8Array>;
}

/** Where a request comes from. */
export interface Client {
  /**
   * The address at the other end of the connection, or whom a trusted proxy names; null for a request of this process, and
   * at a unix socket.
   */
  address: string | null;
  /** How its client reached it, where that is known: by TLS, or as a trusted proxy says. */
  scheme?: "http" | "https";
  /** The host that its client asked, as a trusted proxy says. */
  host?: string;
  /** Whether a token was shown that is good. */
  isKnown: boolean;
  /** That token; missing where none is needed. */
  token?: Pick<Token, "id" | "name">;
  /** What is asked for; missing while that is not known, and of pages beside the interface. */
  operation?: string;
  /** Who was found to call, and for what; missing while that is not known. */
  caller?: KnownCaller;
  /** The page beside the interface that is asked for, without its parameters. */
  page?: string;
  /** Whether the connection was closed, so that no answer can arrive. A request of this process has none. */
  isGone?: () => boolean;
  /** What is done for it, where slow requests are told. */
  work?: WorkNotes;
  /** Its answer goes on until one side ends it, so its time says nothing of how fast it was answered. */
  isStream?: boolean;
  /** Its span, where spans are made. */
  span?: OpenSpan;
  /** How many requests its token has left, as the RateLimit header says it; missing where nobody counts. */
  quota?: string;
}

/** What is known of a request's caller once its tenant is verified; an operation that is public is called by nobody, in no tenant. */
export interface KnownCaller {
  operation: string;
  tenantId: number | null;
  userId: number | null;
  version: string;
}

/** A request to a path of the interface. */
export interface HttpRequest extends IncomingRequest {
  /** What stands before every path of this server; empty unless it was told. */
  base: string;
  /** Without the query. */
  path: string;
  query: string;
  params: Readonly<Record<string, string>>;
}

/** The trace of a request: its span's, or where none is made, the one that its headers name. */
export const traceOf = ({
  client,
  headers,
  id,
}: Pick<IncomingRequest, "headers" | "id"> & { client: Pick<Client, "span"> }): Trace =>
  client.span?.trace ?? toTrace(headers, id);

/** Throws malformed_request when the client closed its connection while the request waited: nobody would get the answer. */
export function requireClient({ isGone }: Client): void {
  if (isGone?.()) throw failure("malformed_request", "Its client went away before its turn came.");
}
