import { createHmac } from "node:crypto";

/** The exact bytes of a body; a string means its UTF-8 bytes. */
type SignedBody = Uint8Array | string;

/** The Base64 text of 32 random bytes. */
export function makeSecret(random: (size: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString("base64");
}

/** The value of `x-service-signature`: `sha1=` and the hex HMAC-SHA1 of the body. */
export function toServiceSignature(key: Uint8Array, body: SignedBody): string {
  return `sha1=${createHmac("sha1", key).update(body).digest("hex")}`;
}

/** The event's id, the whole Unix second of the attempt, the body, and every live key, newest first. */
interface StandardWebhookMessage {
  id: string;
  timestampSeconds: number;
  body: SignedBody;
  keys: readonly Uint8Array[];
}

interface StandardWebhookHeaders {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
}

/**
 * The Standard Webhooks headers of one attempt: one `v1,<base64 HMAC-SHA256>` per key, in the order of `keys` and
 * separated by spaces, so that a receiver with any of them can verify during a rotation.
 */
export function toStandardWebhookHeaders(message: StandardWebhookMessage): StandardWebhookHeaders {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestampSeconds),
    "webhook-signature": message.keys.map((key) => toStandardSignature(key, message)).join(" "),
  };
}

function toStandardSignature(
  key: Uint8Array,
  { id, timestampSeconds, body }: StandardWebhookMessage,
): string {
  // Hashed apart from the prefix: bytes that are not UTF-8 would not survive a join to a string.
  const digest = createHmac("sha256", key).update(`${id}.${timestampSeconds}.`).update(body).digest("base64");
  return `v1,${digest}`;
}
