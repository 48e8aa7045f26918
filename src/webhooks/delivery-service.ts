import type { Clock } from "../runtime/clock.ts";
import type { Tracing } from "../runtime/tracing.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import type { OutboxNotifier } from "./outbox-notifier.ts";
import type { Sender } from "./send.ts";

/** The parts of a service that delivering takes: the store, and what tests replace of the world. */
export interface DeliveryService {
  /** This process lets webhooks lead to private addresses even where the store's policy does not (OP-104). */
  allowsPrivateHooks: boolean;
  /** The store's time, which stamps, due times and leases are in. In a sandbox store it can be moved. */
  clock: StoreClock;
  /** The machine's time, which others compare with their own. It is never moved. */
  machineClock: Clock;
  makeUuid(): string;
  /** Notifies workers of this process's commits to the outbox. */
  outbox: OutboxNotifier;
  /** Makes secrets: that many random bytes. */
  randomBytes(count: number): Uint8Array;
  /** Gives the sender, which is made when first needed: most commands call no webhook. */
  sender(): Promise<Sender>;
  store: Store;
  /** Makes spans of attempts; without it there are none. */
  tracing?: Tracing;
}
