import { createStreamReader } from "../../src/runtime/server-sent-events.ts";

/** A received event of the stream. */
export interface CameEvent {
  /** Its kind. */
  type: string;
  id: string | null;
  // A body of any kind; tests look into what they have made.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  body: any;
}

/** A stream that a server has begun. */
export interface OpenedStream {
  status: number;
  headers: Headers;
  /** The next event; rejects when the stream ends before. */
  next(): Promise<CameEvent>;
  /** Reads on to the end, and gives what still came. */
  rest(): Promise<CameEvent[]>;
  /** The last id that the stream has named, and when to come back. */
  place(): { lastEventId: string | null; retryMs: number | null };
  /** All that has come, as text. */
  text(): string;
  /** Reads until the text has come. */
  until(text: string): Promise<void>;
  close(): void;
}

/** Asks a server for its stream, and reads it as it comes. Resolves with the head, or the refusal. */
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
    close: () => ending.abort(),
  };
}
