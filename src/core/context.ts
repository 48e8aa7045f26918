import type { Actor } from "../auth/actor.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Trace } from "../runtime/trace.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import type { Change } from "./change.ts";
import type { Service } from "./service.ts";

/** What an operation works with. */
export interface Context {
  actor: Actor;
  /** The moment the request was read. */
  now: Timestamp;
  /** Without its store: a query outside of the operation's transaction would wait for that transaction for ever. */
  service: Omit<Service, "store">;
  /** Bound to the caller's tenant and sight; inside the operation's transaction unless its effect is "call". */
  store: TenantStore;
  /** The trace that the request belongs to, one of its own unless it names another. */
  trace: Trace;
  /** Reports a change of a record: its event and its audit row are written in the same transaction. */
  changed(change: Change): void;
  /** Writes in one transaction: the operation's own, or for a "call", which has none, one for this. */
  write<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
}
