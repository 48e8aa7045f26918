import { systemClock, toEpochMs } from "../runtime/clock.ts";
import type { Hmac } from "../webhooks/hmac.ts";
import { readHeaders, type WebhookHeaders } from "./webhook-headers.ts";
import { toKeys } from "./webhook-secret.ts";
import { type WebhookFault, WebhookVerificationError } from "./webhook-verification-error.ts";
import type { ApiVersion, EventsAt } from "./wire.ts";

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
   * Whether deliveries are taken that have `x-service-signature` alone, which has no time in it, so that whoever has seen one
   * can send it again; by default they are. The service sends both signatures.
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
    if (isStandard) checkStandard(delivery, header, bytes, keys, hmac);
    else checkLegacy(delivery, header, bytes, keys, hmac);
    return toEvent(bytes, delivery.version);
  };
}

type Header = (name: string) => string | undefined;

const standardHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
const legacyHeader = "x-service-signature";

/** Standard Webhooks: the signature stands for the id, the time of sending and the body. */
function checkStandard(
  { nowMs = toEpochMs(systemClock.now()), toleranceSeconds = 300 }: WebhookDelivery,
  header: Header,
  bytes: Uint8Array,
  keys: readonly Uint8Array[],
  hmac: Hmac,
): void {
  const [id, timestamp, signatures] = standardHeaders.map((name) => demand(header, name));
  if (!/^\d{1,12}$/.test(timestamp ?? ""))
    throw refusal("malformed_header", "webhook-timestamp must be whole seconds since 1970.");
  const sent = [...(signatures ?? "").matchAll(/(?:^|[\s,])v1,([A-Za-z0-9+/]{43}=)(?=$|[\s,])/g)];
  if (sent.length === 0)
    throw refusal("malformed_header", "webhook-signature must hold `v1,` and the Base64 text of 32 bytes.");
  const signed = join(`${id}.${timestamp}.`, bytes);
  const expected = keys.map((key) => toBase64(hmac("sha256", key, signed)));
  requireAny(
    expected,
    sent.map(([, text = ""]) => text),
  );
  const ageSeconds = nowMs / 1000 - Number(timestamp);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  const distance = `${Math.round(Math.abs(ageSeconds))} s ${ageSeconds > 0 ? "ago" : "ahead"}`;
  throw refusal("stale_timestamp", `It was sent ${distance}; ${toleranceSeconds} s are allowed.`);
}

function checkLegacy(
  { acceptLegacy = true }: WebhookDelivery,
  header: Header,
  bytes: Uint8Array,
  keys: readonly Uint8Array[],
  hmac: Hmac,
): void {
  const sent = acceptLegacy
    ? demand(header, legacyHeader, standardHeaders[2])
    : demand(header, standardHeaders[2]);
  const [, digits] = /^sha1=([0-9a-f]{40})$/i.exec(sent) ?? [];
  if (digits === undefined)
    throw refusal("malformed_header", `${legacyHeader} must be \`sha1=\` and 40 hex digits.`);
  requireAny(
    keys.map((key) => toHex(hmac("sha1", key, bytes))),
    [digits.toLowerCase()],
  );
}

function demand(header: Header, ...names: readonly string[]): string {
  const value = header(names[0] ?? "")?.trim();
  if (value) return value;
  throw refusal("missing_header", `There is no header ${names.join(" and no ")}.`);
}

function requireAny(expected: readonly string[], sent: readonly string[]): void {
  // Every pair is compared, so that the time it takes tells nothing.
  const fits = expected.flatMap((own) => sent.map((other) => isEqual(own, other)));
  if (fits.includes(true)) return;
  const why =
    "The signature does not fit: another secret, or a body that is not as it came. Verify its bytes before anything parses them.";
  throw refusal("mismatch", why);
}

/** Compares texts of one length in a time that does not depend on where they differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
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

function join(prefix: string, bytes: Uint8Array): Uint8Array {
  const start = new TextEncoder().encode(prefix);
  const joined = new Uint8Array(start.length + bytes.length);
  joined.set(start);
  joined.set(bytes, start.length);
  return joined;
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

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
