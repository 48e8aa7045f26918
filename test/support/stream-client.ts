import { createStreamReader } from "../../src/runtime/server-sent-events.ts";

/** An event that the client received. */
export interface CameEvent {
  /** The kind of event. */
  type: string;
  id: string | null;
  // A body of any kind. Tests know the fields of their own records.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  body: any;
}

/** An open stream of events. */
export interface OpenedStream {
  status: number;
  headers: Headers;
  /** Returns the next event. Rejects when the stream ends first. */
  next(): Promise<CameEvent>;
  /** Reads to the end, and returns the remaining events. */
  rest(): Promise<CameEvent[]>;
  /** The last event id, and the reconnection delay that the server asked for. */
  place(): { lastEventId: string | null; retryMs: number | null };
  /** The whole text so far. */
  text(): string;
  /** Reads until the text arrives. */
  until(text: string): Promise<void>;
  close(): void;
}

/** Requests a server's stream and reads it as it arrives. Resolves with the response head, or with the error. */
export async function openStream(url: string, headers: Record<string, string>): Promise<OpenedStream> {
  const ending = new AbortController();
  const answer = await fetch(url, { headers, signal: ending.signal });
  const pieces = (answer.body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  const read = createStreamReader();
  const came: CameEvent[] = [];
  let place: { lastEventId: string | null; retryMs: number | null } = { lastEventId: null, retryMs: null };
  let text = "";
  const readPiece = async () => {
    const { done, value } = await pieces.read();
    if (done) return false;
    const piece = decoder.decode(value, { stream: true });
    text += piece;
    for (const { event, lastEventId, retryMs } of read(piece)) {
      place = { lastEventId, retryMs };
      if (event) came.push({ body: JSON.parse(event.data), id: lastEventId, type: event.type });
    }
    return true;
  };
  return {
    status: answer.status,
    headers: answer.headers,
    async next() {
      while (came.length === 0)
        if (!(await readPiece())) throw new Error(`The stream has ended after: ${text}`);
      return came.shift() as CameEvent;
    },
    async rest() {
      while (await readPiece());
      return came.splice(0);
    },
    place: () => place,
    text: () => text,
    async until(wanted) {
      while (!text.includes(wanted))
        if (!(await readPiece())) throw new Error(`The stream has ended after: ${text}`);
    },
    close() {
      ending.abort();
      // In full runs of the suite, the abort alone sometimes left the connection open until the next heartbeats.
      pieces.cancel().catch(() => undefined);
    },
  };
}
