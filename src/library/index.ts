import { createClient } from "../client/client.ts";
import { nodeHmac } from "../webhooks/hmac-node.ts";
import type { TestServer, TestServerOptions } from "./test-server.ts";
import { makeVerifyWebhook, type VerifyWebhook } from "./verify-webhook.ts";

export type { Answer, CallOptions, Exchange } from "../client/call-types.ts";
export { type Client, type ClientOptions, createClient } from "../client/client.ts";
export type { MissedEvents, StreamEvent, StreamOptions } from "../client/stream-types.ts";
export type * from "../client/wire.ts";
export { DispatchError, type Violation } from "../errors/dispatch-error.ts";
export { operations } from "./operations.ts";
export type { TestEvent, TestServer, TestServerOptions } from "./test-server.ts";
export { toDate } from "./to-date.ts";
export {
  type VerifyWebhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./verify-webhook.ts";

/** Verifies a delivery and gives its event. Throws a WebhookVerificationError, which says why. */
export const verifyWebhook: VerifyWebhook = /* @__PURE__ */ makeVerifyWebhook(nodeHmac);

/**
 * Starts a server in this process, on loopback, with its store in memory, for tests of clients and receivers.
 * Throws a TypeError for an unknown option.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  // Loads the whole service, which a client does not need.
  const service = await import("./start-test-server.ts");
  const server = await service.startTestServer(options);
  const { tenantId: tenant, token, url } = server;
  // The webhook has the newest version.
  const next = server.events.next as (wanted?: object) => Promise<unknown> as TestServer["events"]["next"];
  return { ...server, client: createClient({ tenant, token, url }), events: { ...server.events, next } };
}
