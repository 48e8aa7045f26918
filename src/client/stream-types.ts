import type { ApiVersion, EventsAt } from "./wire.ts";

/** What a stream begins with, and who hears of it. */
export interface StreamOptions {
  /** Begins behind this event; by default with what happens from now on. */
  lastEventId?: string | null | undefined;
  /** Ends it, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Told when the stream has begun, and when it is lost; until it has begun again, nothing comes. */
  onConnection?: ((isConnected: boolean) => void) | undefined;
}

/** Stands between events of which some are not known any more: what is shown has to be read again. */
export interface MissedEvents {
  type: "Missed";
  /** The event that was to be read on from. */
  last_event_id: string;
  detail: string;
}

/** What a stream tells: the body that a webhook gets, whose `id` is where it can be resumed. */
export type StreamEvent<V extends ApiVersion> = EventsAt<V>[keyof EventsAt<V>] | MissedEvents;
