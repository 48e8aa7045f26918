import type { ApiVersion, EventsAt } from "../client/wire.ts";
import { systemClock, toEpochMs } from "../runtime/clock.ts";
import type { Hmac } from "../webhooks/hmac.ts";
import {
  describeAge,
  isEqual,
  readServiceSignature,
  readStandardSignature,
  type SentSignature,
  standardHeaders,
} from "../webhooks/read-signature.ts";
import { readHeaders, type WebhookHeaders } from "./webhook-headers.ts";
import { toKeys } from "./webhook-secret.ts";
import { type WebhookFault, WebhookVerificationError } from "./webhook-verification-error.ts";

/** A delivery as it came, and what its receiver knows. */
export interface WebhookDelivery<V extends ApiVersion = ApiVersion> {
  headers: WebhookHeaders;
  /** The text or the bytes as they came, before anything parses them. */
  body: string | Uint8Array | ArrayBuffer;
  /** The webhook's secret; several while one replaces another. */
  secret: string | readonly string[];
  /** The version that the webhook has: other events are refused, and the event is typed by it. */
  version?: V | undefined;
  /** How far the time of sending may be from now, in seconds; by default 300. */
  toleranceSeconds?: number | undefined;
  /** The time, in milliseconds since 1970; by default that of the machine. */
  nowMs?: number | undefined;
  /**
   * Takes deliveries that have `x-service-signature` alone; by default they are refused. That signature has no time in it:
   * whoever has seen one delivery can send it again at any time. The service sends both signatures.
   */
  acceptLegacy?: boolean | undefined;
}

/** An event that a webhook is told of: by `type` and `api_version` one can tell what its `data` is. */
export type WebhookEvent<V extends ApiVersion = ApiVersion> = V extends ApiVersion
  ? EventsAt<V>[keyof EventsAt<V>]
  : never;

/** Verifies a delivery and gives its event. Throws a WebhookVerificationError, which says why. */
export type VerifyWebhook = <V extends ApiVersion = ApiVersion>(
  delivery: WebhookDelivery<V>,
) => WebhookEvent<V>;

/** Makes verifyWebhook of what signs. */
export function makeVerifyWebhook(hmac: Hmac): VerifyWebhook {
  return <V extends ApiVersion>(delivery: WebhookDelivery<V>): WebhookEvent<V> => {
    const keys = toKeys(delivery.secret);
    const bytes = toBytes(delivery.body);
    const header = readHeaders(delivery.headers);
    const isStandard = standardHeaders.some((name) => header(name) !== undefined);
    const signature =
      isStandard || !delivery.acceptLegacy ? readStandardSignature(header) : readServiceSignature(header);
    if ("fault" in signature) throw refusal(signature.fault, signature.message);
    requireFit(signature, keys, bytes, hmac);
    requireNew(signature, delivery);
    return toEvent(bytes, delivery.version);
  };
}

function requireFit(
  { digests, sign }: SentSignature,
  keys: readonly Uint8Array[],
  bytes: Uint8Array,
  hmac: Hmac,
): void {
  // Every pair is compared, so that the time it takes tells nothing.
  const fits = keys.flatMap((key) => {
    const expected = sign(hmac, key, bytes);
    return digests.map((digest) => isEqual(digest, expected));
  });
  if (fits.includes(true)) return;
  const why =
    "The signature does not fit: another secret, or a body that is not as it came. Verify its bytes before anything parses them.";
  throw refusal("mismatch", why);
}

function requireNew(
  signature: SentSignature,
  { nowMs = toEpochMs(systemClock.now()), toleranceSeconds = 300 }: WebhookDelivery,
): void {
  const age = describeAge(signature, { nowMs, toleranceMs: toleranceSeconds * 1000 });
  if (age !== null) throw refusal("stale_timestamp", age);
}

function toBytes(body: unknown): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // One of another realm, as test runners have them, is no instance of this one's.
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]")
    return new Uint8Array(body as ArrayBuffer);
  const what = body === null || body === undefined ? "missing" : `an ${typeof body}`;
  throw refusal(
    "parsed_body",
    `The body is ${what}; it must be the text or the bytes as they came. Have the framework keep them, as express.raw({ type: "*/*" }) does.`,
  );
}

function toEvent<V extends ApiVersion>(bytes: Uint8Array, version: V | undefined): WebhookEvent<V> {
  const event = parse(bytes);
  if (version !== undefined && event.api_version !== version) {
    const message = `The event has version ${event.api_version}, not ${version}: hooks update --api-version changes the webhook's.`;
    throw refusal("other_version", message);
  }
  // What the service has signed is what it declares.
  return event as WebhookEvent<V>;
}

function parse(bytes: Uint8Array): { type: string; api_version: string } {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const event: { type?: unknown; api_version?: unknown } = Object(value);
    const { api_version, type } = event;
    if (typeof type === "string" && typeof api_version === "string") return { ...event, type, api_version };
  } catch {
    // What is no JSON is told like what is no event.
  }
  throw refusal("malformed_body", "The body is signed, but is no event of a webhook.");
}

const refusal = (reason: WebhookFault, message: string) => new WebhookVerificationError(reason, message);
