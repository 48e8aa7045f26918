/** What a committed transaction put into the outbox: deliveries of events from this id on; 0 stands for all. */
export interface Caused {
  tenantId: number;
  firstEventId: number;
}

/**
 * News of this process's own commits, so that a worker beside it begins at once and a command knows what it has caused.
 * A hint only: whatever nobody heard of is found by looking.
 */
export interface OutboxNews {
  tell(caused: Caused): void;
  /** Calls back after each commit that caused deliveries; gives the way to end it. */
  listen(listener: () => void): () => void;
  /** What was told so far, one entry a tenant. */
  told(): Caused[];
}

export function createOutboxNews(): OutboxNews {
  const firstEventIds = new Map<number, number>();
  const listeners = new Set<() => void>();
  return {
    tell({ tenantId, firstEventId }) {
      firstEventIds.set(tenantId, Math.min(firstEventId, firstEventIds.get(tenantId) ?? firstEventId));
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    told: () => Array.from(firstEventIds, ([tenantId, firstEventId]) => ({ tenantId, firstEventId })),
  };
}
