import type { Timestamp } from "../runtime/clock.ts";
import type { Trace } from "../runtime/trace.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import type { Actor } from "./actor.ts";
import type { Change } from "./change.ts";
import type { Service } from "./service.ts";

export interface Context {
  actor: Actor;
  /** The time when the request was read. */
  now: Timestamp;
  /** Omits the store: a query outside of the transaction would wait for that transaction forever. */
  service: Omit<Service, "store">;
  /** Sees the rows of the caller. Uses the operation's transaction unless its effect is "call". */
  store: TenantStore;
  trace: Trace;
  /** Records a change for its event and audit entry. */
  changed(change: Change): void;
  /** Uses the operation's transaction, or a new one for a "call". */
  write<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
}
