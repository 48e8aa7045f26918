import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "./client.ts";

export interface TestServerOptions {
  /** With the records of `dispatch-cli demo`; otherwise there is a tenant with a location and its owner. */
  demo?: boolean;
  /** What its clock shows at first; it goes on from there. */
  now?: Date | string;
  /** Any free one unless given. */
  port?: number;
}

/** A server with a sandbox store in memory. */
export interface TestServer {
  url: string;
  /** Of the first tenant's owner, who is Admin and Dispatcher. */
  token: string;
  tenantId: number;
  locationId: number;
  /** Of the newest version. */
  client: Client;
  /** What its webhook was told, in order. */
  events: Pick<ReceivedEvents, "next"> & {
    /** The webhook's, for who verifies signatures. */
    secret: string;
  };
  clock: {
    /** Shows a time from now on; it goes on from there. */
    set(now: Date | string): Promise<void>;
    /** Goes forward by milliseconds, or by a duration like 3d. */
    advance(by: number | string): Promise<void>;
  };
  /** Brings the store, the clock and the events back to what they were at the start. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** An event as a webhook gets it (docs/webhooks.md), and what it came with. */
export interface ReceivedEvent {
  id: string;
  type: string;
  action: string;
  api_version: string;
  tenant_id: number;
  timestamp: string;
  data: Record<string, unknown>;
  /** The body as it was signed. */
  body: string;
  headers: IncomingHttpHeaders;
}

export interface NextEvent {
  /** Only an event of this kind; those before it are passed over. */
  type?: string;
  /** 5 s unless given. */
  timeoutMs?: number;
}

export interface ReceivedEvents {
  /**
   * The next event that nobody was given yet, in the order in which they came. Rejects with an error that says what came
   * instead.
   */
  next(wanted?: NextEvent): Promise<ReceivedEvent>;
  forget(): void;
}

