/** What a committed transaction put into the outbox: deliveries of events from this id on; 0 stands for all. */
export interface Caused {
  tenantId: number;
  firstEventId: number;
}

/**
 * Tells of this process's own commits, so that a worker beside it begins at once and a command knows what it has caused.
 * A hint only: a worker finds by polling what no listener heard of.
 */
export interface OutboxNotifier {
  notify(caused: Caused): void;
  /** Calls back after each commit that caused deliveries; gives the way to end it. */
  listen(listener: () => void): () => void;
  /** What was notified so far, one entry a tenant. */
  notified(): Caused[];
}

export function createOutboxNotifier(): OutboxNotifier {
  const firstEventIds = new Map<number, number>();
  const listeners = new Set<() => void>();
  return {
    notify({ tenantId, firstEventId }) {
      firstEventIds.set(tenantId, Math.min(firstEventId, firstEventIds.get(tenantId) ?? firstEventId));
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notified: () => Array.from(firstEventIds, ([tenantId, firstEventId]) => ({ tenantId, firstEventId })),
  };
}
