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
  /** The name of that token, where it has one. */
  tokenName?: string | null;
  /** Who was found to call, and for what; missing while that is not known. */
  caller?: KnownCaller;
  /** Whether the connection was closed, so that no answer can arrive. A request of this process has none. */
  isGone?: () => boolean;
  /** How many requests its token has left, as the RateLimit header says it; missing where nobody counts. */
  quota?: string;
}

/** What is told of a request's caller to the administrators of its tenant. */
export interface KnownCaller {
  tenantId: number;
  operation: string;
  version: string;
  token_id: number | null;
  token_name: string | null;
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
