/** A request as it arrived; its path is still to be matched. */
export interface IncomingRequest {
  /** A fresh UUID; the answer and the log name it. */
  id: string;
  method: string;
  /** With the query. */
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body, at most 1 MiB. Called once all earlier checks have passed. */
  readBody(): Promise<Uint8Array>;
}

/** A request to a path of the interface. */
export interface HttpRequest extends IncomingRequest {
  /** Without the query. */
  path: string;
  query: string;
  params: Readonly<Record<string, string>>;
}

/** The part of an address before its query. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
