import type { StoreHints } from "../store/hints.ts";

/** What a committed transaction made due: deliveries of the tenant's events from this id on; 0 stands for all events. */
export interface Caused {
  tenantId: number;
  firstEventId: number;
}

/**
 * Announces this process's own commits, so that workers begin at once and a command knows what it has caused.
 */
export interface OutboxNotifier {
  notify(caused: Caused): void;
  /** Announces that a transaction of this process has written events of a tenant, with deliveries or without. */
  tellEvents(tenantId: number): void;
  /** Calls `listener` after each of those, until the function that it gives is called. */
  listenToEvents(listener: (tenantId: number) => unknown): () => void;
  /** All notices so far, merged into one for each tenant. */
  notified(): Caused[];
}

/** Tells workers by `hints`. */
export function createOutboxNotifier(hints: StoreHints): OutboxNotifier {
  const firstEventIds = new Map<number, number>();
  const eventListeners = new Set<(tenantId: number) => unknown>();
  return {
    notify({ tenantId, firstEventId }) {
      firstEventIds.set(tenantId, Math.min(firstEventId, firstEventIds.get(tenantId) ?? firstEventId));
      hints.give("deliveries");
    },
    tellEvents(tenantId) {
      for (const listener of eventListeners) listener(tenantId);
    },
    listenToEvents(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    notified: () => Array.from(firstEventIds, ([tenantId, firstEventId]) => ({ tenantId, firstEventId })),
  };
}
