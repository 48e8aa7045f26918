import { request } from "undici";
import { followStream, type StreamSource } from "../runtime/follow-stream.ts";

/** Whom a server tells that something has happened. */
export interface EventListener {
  onEvent(): void;
  /** Told when the server begins to tell, and when it is lost; an older one never begins. */
  onConnection(isConnected: boolean): void;
}

/** The server has no stream for this caller. */
class NoStream extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The server answers its stream with status ${status}.`);
    this.status = status;
  }
}

/** Follows the events of a server that the caller may see, until the function that it gives is called. */
export function followEvents(
  { headers, url }: { headers: Record<string, string>; url: string },
  { onConnection, onEvent }: EventListener,
): () => void {
  const ended = new AbortController();
  const source: StreamSource = {
    async open(lastEventId, signal) {
      const place = lastEventId === null ? {} : { "last-event-id": lastEventId };
      const answer = await request(`${url}/stream`, {
        headers: { ...headers, accept: "text/event-stream", ...place },
        signal,
      });
      const isStream = String(answer.headers["content-type"]).startsWith("text/event-stream");
      if (answer.statusCode === 200 && isStream) return answer.body;
      await answer.body.dump();
      throw new NoStream(answer.statusCode);
    },
    isPassing: (error) => !(error instanceof NoStream) || error.status === 429 || error.status >= 500,
  };
  const follow = async () => {
    const options = { onConnection, retries: Number.POSITIVE_INFINITY, signal: ended.signal };
    for await (const _ of followStream(source, options)) onEvent();
  };
  // Who waits for changes looks by itself where nobody tells of them.
  follow().catch(() => undefined);
  return () => ended.abort();
}
