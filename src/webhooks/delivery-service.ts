import type { Clock } from "../runtime/clock.ts";
import type { Tracing } from "../runtime/tracing.ts";
import type { StoreHints } from "../store/api.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import type { Sender } from "./send.ts";

/** The parts of a service that delivering takes: the store, and what tests replace of the world. */
export interface DeliveryService {
  /** The store's time, which stamps, due times and leases are in. In a sandbox store it can be moved. */
  clock: StoreClock;
  /** The machine's time, which others compare with their own. It is never moved. */
  machineClock: Clock;
  makeUuid(): string;
  /** Notifies workers of this process's commits to the outbox. */
  outbox: OutboxNotifier;
  policy: DeliveryPolicy;
  /** Makes secrets: that many random bytes. */
  randomBytes(count: number): Uint8Array;
  /** Gives the sender, which is made when first needed: most commands call no webhook. */
  sender(): Promise<Sender>;
  store: Store;
  /** Makes spans of attempts; without it there are none. */
  tracing?: Tracing;
}

export interface DeliveryPolicy {
  /** This process lets webhooks lead to private addresses even where the store's policy does not. */
  allowsPrivateHooks: boolean;
}

/** What a committed transaction made due: deliveries of the tenant's events from this id on, or of all events for 0. */
export interface Caused {
  tenantId: number;
  firstEventId: number;
}

/** Announces this process's own commits, so that workers begin at once and a command knows what it caused. */
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
