import type { ApiVersion, EventsAt, NewestVersion } from "./wire.ts";

export interface StreamOptions {
  /** Only these events: kinds, or actions like `Job:completed`. */
  events?: readonly (EventKind | `${EventKind}:${string}`)[] | undefined;
  /** Bodies name the request that made the change in `cause`, so that a program recognizes its own changes. */
  includeCause?: boolean | undefined;
  /** Bodies have the former values of changed fields in `previous`. */
  includePrevious?: boolean | undefined;
  /** Resumes after this event; by default the stream begins with the next event. */
  lastEventId?: string | null | undefined;
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Called when the connection opens and when it is lost. */
  onConnection?: ((isConnected: boolean) => void) | undefined;
}

type EventKind = keyof EventsAt<ApiVersion>;

/** Reports a gap: the server has deleted some events, so the client must read its records again. */
export interface MissedEvents {
  type: "Missed";
  /** The event after which the client tried to resume. */
  last_event_id: string;
  detail: string;
}

/** An event, as in the body of a webhook. Pass its `id` as `lastEventId` to resume after it. */
export type StreamEvent<V extends ApiVersion = NewestVersion> = EventsAt<V>[keyof EventsAt<V>] | MissedEvents;
