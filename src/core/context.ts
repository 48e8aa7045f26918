import type { Actor } from "../auth/actor.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Trace } from "../runtime/trace.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import type { Change } from "./change.ts";
import type { Service } from "./service.ts";

export interface Context {
  actor: Actor;
  /** The time when the request was read. */
  now: Timestamp;
  /** Without its store: a query outside of the operation's transaction would wait for that transaction forever. */
  service: Omit<Service, "store">;
  /** Bound to the caller's tenant and row scope; inside the operation's transaction unless its effect is "call". */
  store: TenantStore;
  trace: Trace;
  /** Reports a change of a record, for its event and audit row in the same transaction. */
  changed(change: Change): void;
  /** Writes in the operation's transaction; for a "call", in a new one. */
  write<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
}
