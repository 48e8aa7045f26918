import type { Client } from "../client/client.ts";
import type { Clock } from "../runtime/clock.ts";

/** A tenant of a store or a server. */
export interface SyncTarget {
  client: Client;
  tenant: { name: string };
  clock: Clock;
}

export interface Pace {
  /** Called between small pieces of work. Throws `Stopped` when the user has asked to end. */
  step(text: () => string): Promise<void>;
}

/** The user ended the work before any change. */
export class Stopped extends Error {}
