import { portableHmac } from "../webhooks/hmac-portable.ts";
import { makeVerifyWebhook, type VerifyWebhook } from "./verify-webhook.ts";

export { createClient } from "../client/client.ts";
export { DispatchError } from "../errors/dispatch-error.ts";
export { operations } from "./operations.ts";
export { toDate } from "./to-date.ts";
export { WebhookVerificationError } from "./verify-webhook.ts";

/** Like the export for Node, but without Node's modules. */
export const verifyWebhook: VerifyWebhook = /* @__PURE__ */ makeVerifyWebhook(portableHmac);

/** Throws an explanation. Test runners that resolve packages for browsers load this entry instead of Node's. */
export function startTestServer(): never {
  throw new Error(
    "startTestServer works in Node, Bun, and Deno, and this is the part of dispatch-cli for browsers. A test runner that imitates a browser, as Jest with jsdom does, must resolve the package for Node: in Jest, testEnvironmentOptions.customExportConditions: ['node'].",
  );
}
