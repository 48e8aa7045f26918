import type { Client } from "../client/client.ts";
import type { NewestVersion } from "../client/wire.ts";
import type { WebhookEvent } from "./verify-webhook.ts";

/** The options of startTestServer. */
export interface TestServerOptions {
  /** With the records of `dispatch-cli demo`; otherwise with a tenant, its location, and its owner. */
  demo?: boolean;
  /** The first time of the server's clock, which then runs. */
  now?: Date | string;
  /** By default any free port. */
  port?: number;
}

/** An event that the server's webhook received, with its delivery. */
export type TestEvent = WebhookEvent<NewestVersion> & {
  /** The signed text. */
  body: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** A server with a store in memory, for tests. */
export interface TestServer {
  url: string;
  /** A token of the first tenant's owner, with the roles Admin and Dispatcher. */
  token: string;
  tenantId: number;
  locationId: number;
  /** A client with that token. */
  client: Client;
  /** The events that its webhook received, in order. */
  events: {
    /**
     * The next event that was not returned yet, of one kind if the call names one. Rejects with the list of other
     * events.
     */
    next<Kind extends TestEvent["type"] = TestEvent["type"]>(wanted?: {
      type?: Kind;
      timeoutMs?: number;
    }): Promise<Extract<TestEvent, { type: Kind }>>;
    /** The secret of the webhook, to verify signatures. */
    secret: string;
  };
  clock: {
    /** Sets the time; the clock runs on. */
    set(now: Date | string): Promise<void>;
    /** Moves the time forward by milliseconds, or by a duration like 3d. */
    advance(by: number | string): Promise<void>;
  };
  /** Resets the store, the clock, and the events to the start. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
