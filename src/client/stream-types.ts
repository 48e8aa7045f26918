import type { ApiVersion, EventsAt } from "./wire.ts";

export interface StreamOptions {
  /** Resumes after this event; by default the stream begins with the next event. */
  lastEventId?: string | null | undefined;
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Called when the connection opens and when it is lost. */
  onConnection?: ((isConnected: boolean) => void) | undefined;
}

/** Reports a gap: the server has deleted some events, so the client must read its records again. */
export interface MissedEvents {
  type: "Missed";
  /** The event after which the client tried to resume. */
  last_event_id: string;
  detail: string;
}

/** An event, as in the body of a webhook. Pass its `id` as `lastEventId` to resume after it. */
export type StreamEvent<V extends ApiVersion> = EventsAt<V>[keyof EventsAt<V>] | MissedEvents;
