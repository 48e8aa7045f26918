import type { Client } from "../client/client.ts";
import type { Clock } from "../runtime/clock.ts";

/** A tenant of a store or a server, as records are read from it and brought into it. */
export interface SyncTarget {
  client: Client;
  close(): Promise<void>;
  /** What people know the store or the server by. */
  name: string;
  tenant: { id: number; name: string; time_zone: string };
  /** The time as the target sees it. */
  clock: Clock;
  /** The roles in which the caller acts there. */
  roles(): Promise<readonly string[]>;
  /** Throws for a caller who sees a part of the tenant only. A server does not say, so it never throws there. */
  requireTenantWide(): void;
}
