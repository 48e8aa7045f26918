import type { Client } from "../client/client.ts";
import type { Clock } from "../runtime/clock.ts";

/** A tenant of a store or a server, for reading and writing records. */
export interface SyncTarget {
  client: Client;
  close(): Promise<void>;
  /** The name of the store or the server in messages. */
  name: string;
  tenant: { id: number; name: string; time_zone: string };
  /** The current time of the target. */
  clock: Clock;
  /** The roles of the caller there. */
  roles(): Promise<readonly string[]>;
  /**
   * Throws for a caller who sees only a part of the tenant. A server does not report that, so it never throws there.
   */
  requireTenantWide(): void;
}
