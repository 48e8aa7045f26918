/** An answer before the server adds what every answer has. Header names are in lower case. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string;
  /** Of the body, where it was made with it; whether it is sent is not said by that. */
  etag?: string;
  /** Of an error: its code, which the body says too. */
  code?: string;
  /** In place of the body: what is sent as it comes. */
  stream?: OpenStream;
}

/** An answer that goes on until one side ends it. */
export interface OpenStream {
  /** Begins to send, once the head is out. */
  start(sink: Sink): void;
  /** Ends it soon, in the form that its readers know: the server closes. */
  end(): void;
}

/** The connection that a stream is sent on. */
export interface Sink {
  /** Sends a text, or keeps it until there is room; false says that what follows should wait for `onDrain`. */
  write(text: string): boolean;
  /** Calls back when there is room again. */
  onDrain(listener: () => void): void;
  /** Calls back when nothing can be sent any more. */
  onClose(listener: () => void): void;
  /** Closes the answer after what was sent; `cut` closes the connection at once. */
  end(options?: { cut?: boolean }): void;
}

/** An answer with all headers: names and values in turn, which node:http writes 8 µs faster than an object. */
export interface FullAnswer {
  status: number;
  head: string[];
  /** Not sent to HEAD. */
  body: Uint8Array | string;
  /** Of an error: its code. */
  code?: string | undefined;
  /** It is not sent at all, and the connection is closed: what the request asked of a sandbox server. */
  isDropped?: true;
  /** In place of the body. */
  stream?: OpenStream;
}

/** Of a request that gets no answer. */
export const unansweredRequest: FullAnswer = { status: 0, head: [], body: "", isDropped: true };

/** Adds the length of the body to an answer that has all other headers, as RFC 9110, 8.6, asks for the method. */
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
