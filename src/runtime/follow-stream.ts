import { pause } from "./pause.ts";
import { TooLongError } from "./read-bounded.ts";
import { createStreamReader } from "./server-sent-events.ts";

export interface StreamSource {
  /** Requests the events after an event; null starts now. Rejects without a response or on a refusal. */
  open(lastEventId: string | null, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Whether a retry may succeed. */
  isPassing(error: unknown): boolean;
}

export interface FollowOptions {
  lastEventId?: string | null | undefined;
  /** Ends the stream with the signal's reason. */
  signal?: AbortSignal | undefined;
  onConnection?: ((isConnected: boolean) => void) | undefined;
  /** How many failed connections before the first success end the stream. Later it always retries. */
  retries: number;
}

export interface FollowedEvent {
  type: string;
  data: string;
  /** Resumes the stream; null if the stream has named none. */
  lastEventId: string | null;
}

/** The server sends something every 15 s, so a longer silence means a lost connection. */
const silentMsMax = 45_000;

/** The shortest delay, whatever the server asks for. */
const pauseMsMin = 1_000;
const pauseMsMax = 30_000;

/** Reconnects after the last event with growing delays. Throws final refusals, and TooLongError. */
export async function* followStream(
  source: StreamSource,
  { lastEventId = null, onConnection, retries, signal }: FollowOptions,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let place = lastEventId;
  let retryMs = pauseMsMin;
  let hasBegun = false;
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    const connection = watchConnection(signal);
    let isOpen = false;
    try {
      const pieces = await source.open(place, connection.signal);
      isOpen = true;
      hasBegun = true;
      onConnection?.(true);
      const read = createStreamReader();
      const decoder = new TextDecoder();
      for await (const bytes of pieces) {
        connection.heard();
        failures = 0;
        for (const block of read(decoder.decode(bytes, { stream: true }))) {
          place = block.lastEventId ?? place;
          retryMs = block.retryMs ?? retryMs;
          if (block.event) yield { ...block.event, lastEventId: place };
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      // A retry would get the same event again.
      if (error instanceof TooLongError || !source.isPassing(error) || (!hasBegun && failures >= retries))
        throw error;
    } finally {
      connection.end();
      if (isOpen) onConnection?.(false);
    }
    const pauseMs = Math.min(pauseMsMax, retryMs * 2 ** failures) * (0.5 + Math.random() / 2);
    await pause(Math.max(pauseMsMin, pauseMs), signal);
  }
}

/** Aborts on the caller's signal, and after too long a silence. */
function watchConnection(signal: AbortSignal | undefined) {
  const connection = new AbortController();
  const stop = () => connection.abort(signal?.reason);
  const giveUp = () => connection.abort(new Error(`nothing came for ${silentMsMax / 1000} s`));
  let timer = setTimeout(giveUp, silentMsMax);
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: connection.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silentMsMax);
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      connection.abort();
    },
  };
}
