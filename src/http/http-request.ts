/** A request to a path of the interface, as the server received it. */
export interface HttpRequest {
  /** A fresh UUID; the answer and the log name it. */
  id: string;
  method: string;
  /** Without the query. */
  path: string;
  query: string;
  params: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body, at most 1 MiB. Called once all earlier checks have passed. */
  readBody(): Promise<Uint8Array>;
}

/** A request as it arrived; its path is still to be matched. */
export interface IncomingRequest extends Pick<HttpRequest, "headers" | "id" | "method" | "readBody"> {
  /** With the query. */
  url: string;
}

/** The part of an address before its query. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
