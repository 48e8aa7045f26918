import { nodeHmac } from "./hmac-node.ts";
import { makeVerifyWebhook, type VerifyWebhook } from "./verify-webhook.ts";

export type { Answer, CallOptions, Exchange } from "./call-types.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { DispatchError, type Violation } from "./dispatch-error.ts";
export { operations } from "./operations.ts";
export type { VerifyWebhook, WebhookDelivery, WebhookEvent } from "./verify-webhook.ts";
export type { WebhookHeaders } from "./webhook-headers.ts";
export { type WebhookFault, WebhookVerificationError } from "./webhook-verification-error.ts";
export type * from "./wire.ts";

/** Verifies a delivery and gives its event. Throws a WebhookVerificationError, which says why. */
export const verifyWebhook: VerifyWebhook = /* @__PURE__ */ makeVerifyWebhook(nodeHmac);
