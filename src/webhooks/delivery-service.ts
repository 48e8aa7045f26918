import type { Clock } from "../runtime/clock.ts";
import type { Tracing } from "../runtime/tracing.ts";
import type { StoreHints } from "../store/api.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import type { Sender } from "./send.ts";

/** The parts of a service that deliveries need: the store, and the parts of the world that tests replace. */
export interface DeliveryService {
  /** The store's time for stamps, due times, and leases. A sandbox can move it. */
  clock: StoreClock;
  /** The machine's time, which others compare with their own. It never moves. */
  machineClock: Clock;
  makeUuid(): string;
  /** Notifies workers of this process's commits to the outbox. */
  outbox: OutboxNotifier;
  policy: DeliveryPolicy;
  randomBytes(count: number): Uint8Array;
  /** Made on first use: most commands call no webhook. */
  sender(): Promise<Sender>;
  store: Store;
  /** Without it the service makes no spans. */
  tracing?: Tracing;
}

export interface DeliveryPolicy {
  /** Lets this process deliver to private addresses where the store's policy does not. */
  allowsPrivateHooks: boolean;
}

/** The deliveries that a transaction made due: of the tenant's events from this id on, or of all events for 0. */
export interface Caused {
  tenantId: number;
  firstEventId: number;
}

/** Announces this process's own commits, so that workers start at once and a command knows its deliveries. */
export interface OutboxNotifier {
  notify(caused: Caused): void;
  /** Announces committed events of a tenant, with or without deliveries. */
  tellEvents(tenantId: number): void;
  /** Calls `listener` for each of them until the caller runs the returned function. */
  listenToEvents(listener: (tenantId: number) => unknown): () => void;
  /** All notices so far, one for each tenant. */
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
