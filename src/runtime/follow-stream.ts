import { pause } from "./pause.ts";
import { TooLongError } from "./read-bounded.ts";
import { createStreamReader } from "./server-sent-events.ts";

/** Where a stream of server-sent events comes from. */
export interface StreamSource {
  /** Asks for what follows an event; null: for what happens from now on. Rejects when it is refused or nobody answers. */
  open(lastEventId: string | null, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Whether it may go well the next time. */
  isPassing(error: unknown): boolean;
}

/** How a stream is followed. */
export interface FollowOptions {
  lastEventId?: string | null | undefined;
  /** Ends it, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Told when the stream has begun, and when it is lost; until it has begun again, nothing comes. */
  onConnection?: ((isConnected: boolean) => void) | undefined;
  /** How often it is asked for in vain before it has begun once; from then on it is asked for until the signal. */
  retries: number;
}

/** An event as it came. */
export interface FollowedEvent {
  type: string;
  data: string;
  /** Where to go on behind it; null where the stream has named no place. */
  lastEventId: string | null;
}

/** The server sends something every 15 s; who hears nothing for so long is not connected any more. */
const silentMsMax = 45_000;

/** Whatever the server says, it is asked again no sooner. */
const pauseMsMin = 1_000;
const pauseMsMax = 30_000;

/**
 * The events of a stream, which is asked for again whenever it is lost, behind the last event that came, with pauses that
 * grow. Throws what is refused for good, and TooLongError.
 */
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
      // The same event would come again.
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

/** A signal that ends a connection: with the caller's own, and when nothing was heard for too long. */
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
