import type { Clock } from "./clock.ts";
import type { OutboxNews } from "./outbox-news.ts";
import type { Store } from "./store/store.ts";
import type { StoreClock } from "./store-clock.ts";
import type { UsageLog } from "./usage-log.ts";
import type { Sender } from "./webhooks/send.ts";

/** What the running program lends to every operation: the store and the parts of the world that tests replace. */
export interface Service {
  /** Anybody may sign up as a hauler: on a store at hand, or with --allow-hauler-signup. */
  allowsHaulerSignup: boolean;
  /** Webhooks may name private addresses: in local mode, on loopback, or with --allow-private-hooks (OP-71). */
  allowsPrivateHooks: boolean;
  /** The time of the store, by which everything is stamped, due and expired; in a sandbox store it can be moved. */
  clock: StoreClock;
  /** Font files for characters that the embedded fonts of documents lack (OP-60). */
  fonts: readonly string[];
  /** The time outside, which others compare with theirs: never moved. */
  machineClock: Clock;
  /** What this process has put into the outbox. */
  news: OutboxNews;
  /** Makes secrets: that many random bytes. */
  randomBytes(count: number): Uint8Array;
  /** Calls webhooks; made when first needed, because most commands never do. */
  sender(): Promise<Sender>;
  store: Store;
  /** Which operations tokens call at which versions; whoever serves writes it to the store. */
  usage: UsageLog;
  /** Changes make events for webhooks; not while a store is filled in bulk. The audit trail has them in any case. */
  makesEvents: boolean;
  makeUuid(): string;
}
