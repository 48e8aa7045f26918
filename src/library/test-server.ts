import type { Client } from "../client/client.ts";
import type { NewestVersion } from "../client/wire.ts";
import type { WebhookEvent } from "./verify-webhook.ts";

/** What startTestServer may be told. */
export interface TestServerOptions {
  /** With the records of `dispatch-cli demo`; otherwise there is a tenant with a location and its owner. */
  demo?: boolean;
  /** What its clock shows at first; it goes on from there. */
  now?: Date | string;
  /** Any free one unless given. */
  port?: number;
}

/** An event as the server's webhook was told of it, with the delivery that brought it. */
export type TestEvent = WebhookEvent<NewestVersion> & {
  /** The text as it was signed. */
  body: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** A server with a store in memory, for tests. */
export interface TestServer {
  url: string;
  /** Of the first tenant's owner, who is Admin and Dispatcher. */
  token: string;
  tenantId: number;
  locationId: number;
  /** A client of it, as that owner. */
  client: Client;
  /** What its webhook was told, in order. */
  events: {
    /** The next event that nobody was given yet, of a kind if one is named. Rejects with what came instead. */
    next<Kind extends TestEvent["type"] = TestEvent["type"]>(wanted?: {
      type?: Kind;
      timeoutMs?: number;
    }): Promise<Extract<TestEvent, { type: Kind }>>;
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
  /** Ends the server; nothing of it can be used any more. */
  close(): Promise<void>;
}
