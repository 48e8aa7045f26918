import type { ApiVersion, EventsAt } from "./wire.ts";

export interface StreamOptions {
  /** Resumes after this event; by default the stream begins with the next event. */
  lastEventId?: string | null | undefined;
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Called when the connection opens and when it is lost. */
  onConnection?: ((isConnected: boolean) => void) | undefined;
}

/** Reports a gap: the server no longer has some events, so the client must read its records again. */
export interface MissedEvents {
  type: "Missed";
  /** The event that the client tried to resume after. */
  last_event_id: string;
  detail: string;
}

/** An event: the body that a webhook gets. Its `id` is the place to resume after. */
export type StreamEvent<V extends ApiVersion> = EventsAt<V>[keyof EventsAt<V>] | MissedEvents;
