import type { Client } from "../client/client.ts";
import type { Clock } from "../runtime/clock.ts";

/** The store or server whose operations are tools, as one caller in one tenant. */
export interface McpTarget {
  client: Client;
  clock: Pick<Clock, "now">;
  /** Show all times in UTC. */
  isUtc: boolean;
  tenant: { id: number; name: string; time_zone: string };
}
