import { createHmac } from "node:crypto";

/** A string means its UTF-8 bytes. */
type SignedBody = Uint8Array | string;

export function makeSecret(random: (size: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString("base64");
}

/** `sha1=` and the hex HMAC-SHA1 of the body. */
export function toServiceSignature(key: Uint8Array, body: SignedBody): string {
  return `sha1=${createHmac("sha1", key).update(body).digest("hex")}`;
}

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

/** One `v1,<base64 HMAC-SHA256>` per key, so that a receiver with any of the keys can verify. */
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
  // Hashed apart from the prefix: a string cannot hold bytes that are not UTF-8.
  const digest = createHmac("sha256", key).update(`${id}.${timestampSeconds}.`).update(body).digest("base64");
  return `v1,${digest}`;
}
