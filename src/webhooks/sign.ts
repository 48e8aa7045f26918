import { createHmac } from "node:crypto";

/** The bytes of an event's or answer's body exactly as they are sent; a string stands for its UTF-8 bytes. */
type SignedBody = Uint8Array | string;

/** A text cannot be a secret. The message tells the person who chose it why, and never repeats the text. */
export class SecretError extends Error {
  override name = "SecretError";
}

/**
 * The HMAC key of a hook's secret: the bytes behind its Base64 text of 11 to 270 characters, white space
 * around it and the `whsec_` of Standard Webhooks before it aside (OP-72, OP-291). Padding may be left out. Throws `SecretError` for any other text.
 */
export function decodeSecret(secret: string): Buffer {
  const text = secret.trim().replace(/^whsec_/, "");
  if (text.length < 11 || text.length > 270) {
    throw new SecretError(`The secret must have 11 to 270 characters; it has ${text.length}.`);
  }
  if (!isBase64(text)) {
    throw new SecretError(
      "The secret must be Base64 text: A to Z, a to z, 0 to 9, + and /, with = only at its end.",
    );
  }
  return Buffer.from(text, "base64");
}

/** A new secret (OP-72): the Base64 text of 32 bytes from `random`, such as `crypto.randomBytes`. */
export function makeSecret(random: (size: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString("base64");
}

/** The value of `x-service-signature` (OP-73): `sha1=` and the hex HMAC-SHA1 of the body's bytes. */
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

/** The three headers of Standard Webhooks, ready to be merged into a request's headers. */
interface StandardWebhookHeaders {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
}

/**
 * The Standard Webhooks headers of one attempt (OP-73): one `v1,<base64 HMAC-SHA256>` per key, in the order
 * of `keys` and separated by spaces, so that a receiver holding any of them can verify during a rotation.
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
  // The body is hashed apart from the prefix: bytes that are not UTF-8 would not survive being joined to a
  // string.
  const digest = createHmac("sha256", key).update(`${id}.${timestampSeconds}.`).update(body).digest("base64");
  return `v1,${digest}`;
}

// Base64url is left out on purpose: a secret that is no Base64 is nearly always another kind of text.
function isBase64(text: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}
