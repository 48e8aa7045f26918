import type { Client } from "../client/client.ts";
import type { Clock } from "../runtime/clock.ts";

/** A tenant of a store or a server. */
export interface SyncTarget {
  client: Client;
  close(): Promise<void>;
  name: string;
  tenant: { id: number; name: string; time_zone: string };
  clock: Clock;
  roles(): Promise<readonly string[]>;
  /** Throws for a caller with only a part of a local store's tenant. A server does not report that. */
  requireTenantWide(): void;
}
