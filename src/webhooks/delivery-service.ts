import type { Clock } from "../runtime/clock.ts";
import type { Tracing } from "../runtime/tracing.ts";
import type { StoreHints } from "../store/api.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import type { Sender } from "./send.ts";

/** What deliveries need of a service. Tests replace the clock, the random bytes, and the sender. */
export interface DeliveryService {
  /** For timestamps, due times, and leases. A sandbox can move it. */
  clock: StoreClock;
  /** For comparisons with other machines. It never moves. */
  machineClock: Clock;
  makeUuid(): string;
  /** Notifies workers of this process's commits to the outbox. */
  outbox: OutboxNotifier;
  policy: DeliveryPolicy;
  randomBytes(count: number): Uint8Array;
  /** Created on first use: most commands call no webhook. */
  sender(): Promise<Sender>;
  store: Store;
  /** Missing: no spans. */
  tracing?: Tracing;
}

export interface DeliveryPolicy {
  /** Allows private addresses in this process even if the store's policy does not. */
  allowsPrivateHooks: boolean;
}

/** A tenant's due deliveries of events from this id on; 0 means all. */
export interface Caused {
  tenantId: number;
  firstEventId: number;
}

/** Announces this process's commits, so that workers start at once and a command knows its deliveries. */
export interface OutboxNotifier {
  notify(caused: Caused): void;
  /** Announces committed events, with or without deliveries. */
  tellEvents(tenantId: number): void;
  /** Returns the function that stops listening. */
  listenToEvents(listener: (tenantId: number) => unknown): () => void;
  /** One for each tenant. */
  notified(): Caused[];
}

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
