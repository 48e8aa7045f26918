import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import type { OutboxNotifier } from "./outbox-notifier.ts";
import type { Sender } from "./send.ts";

/** As much of a service as delivering takes: the store, and the parts of the world that tests replace. */
export interface DeliveryService {
  /** The time of the store, by which everything is stamped, due and expired; in a sandbox store it can be moved. */
  clock: StoreClock;
  /** The time outside, which others compare with theirs: never moved. */
  machineClock: Clock;
  makeUuid(): string;
  /** Tells workers in this process of what its own commits put into the outbox. */
  outbox: OutboxNotifier;
  /** Makes secrets: that many random bytes. */
  randomBytes(count: number): Uint8Array;
  /** Calls webhooks; made when first needed, because most commands never do. */
  sender(): Promise<Sender>;
  store: Store;
}
