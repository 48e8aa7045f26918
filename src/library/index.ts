import { nodeHmac } from "./hmac-node.ts";
import type { TestServer, TestServerOptions } from "./test-server-types.ts";
import { makeVerifyWebhook, type VerifyWebhook } from "./verify-webhook.ts";

export type { Answer, CallOptions, Exchange } from "./call-types.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { DispatchError, type Violation } from "./dispatch-error.ts";
export { operations } from "./operations.ts";
export type { NextEvent, ReceivedEvent, TestServer, TestServerOptions } from "./test-server-types.ts";
export type { VerifyWebhook, WebhookDelivery, WebhookEvent } from "./verify-webhook.ts";
export type { WebhookHeaders } from "./webhook-headers.ts";
export { type WebhookFault, WebhookVerificationError } from "./webhook-verification-error.ts";
export type * from "./wire.ts";

/** Verifies a delivery and gives its event. Throws a WebhookVerificationError, which says why. */
export const verifyWebhook: VerifyWebhook = /* @__PURE__ */ makeVerifyWebhook(nodeHmac);

/**
 * Starts a server in this process, on loopback, with its store in memory: for tests of what is built against the interface.
 * Any number can run side by side.
 */
export async function startTestServer(options?: TestServerOptions): Promise<TestServer> {
  // Who only calls or verifies loads none of the service.
  const server = await import("./start-test-server.ts");
  return server.startTestServer(options);
}
