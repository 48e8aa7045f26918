import type { ApiVersion, EventsAt } from "../client/wire.ts";
import { readEpochMs } from "../runtime/clock.ts";
import { checkSignature, serviceHeader, standardHeaders } from "../webhooks/check-signature.ts";
import type { Hmac } from "../webhooks/hmac.ts";
import { decodeSecret, type SecretError } from "../webhooks/secret.ts";

export interface WebhookDelivery<V extends ApiVersion = ApiVersion> {
  headers: WebhookHeaders;
  /** The raw text or bytes of the request, not parsed. */
  body: string | Uint8Array | ArrayBuffer;
  /** The webhook's secret; several while one replaces another. */
  secret: string | readonly string[];
  /** The webhook's API version: it types the event. Events of other versions are refused. */
  version?: V | undefined;
  /** Tolerance for the time of sending, in seconds; by default 300. */
  toleranceSeconds?: number | undefined;
  /** The current time in milliseconds since 1970; by default the time of the machine. */
  nowMs?: number | undefined;
  /**
   * Accepts deliveries that have only `x-service-signature`. By default they are refused: that signature does not cover
   * the time, so an attacker can replay the delivery. The service sends both signatures.
   */
  acceptLegacy?: boolean | undefined;
}

/**
 * The headers of any framework: a Headers object, an object with names in any case, pairs, or Node's flat `rawHeaders`.
 */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Iterable<readonly [name: string, value: string]>
  | readonly string[]
  | Readonly<Record<string, unknown>>;

/** An event of a webhook: `type` and `api_version` determine the type of `data`. */
export type WebhookEvent<V extends ApiVersion = ApiVersion> = V extends ApiVersion
  ? EventsAt<V>[keyof EventsAt<V>]
  : never;

/**
 * Why verifyWebhook refuses a delivery:
 * - `missing_header`: the signature or a part of it is missing
 * - `malformed_header`: a header cannot be read
 * - `stale_timestamp`: the time of sending is too long ago, or in the future
 * - `mismatch`: another secret signed it, or the body changed
 * - `parsed_body`: the body is neither text nor bytes
 * - `malformed_body`: the signature holds, but the body is not an event
 * - `other_version`: the event has another API version than `version`
 * - `invalid_secret`: the secret is not Base64 text
 */
export type WebhookFault =
  | "invalid_secret"
  | "malformed_body"
  | "malformed_header"
  | "mismatch"
  | "missing_header"
  | "other_version"
  | "parsed_body"
  | "stale_timestamp";

/** A delivery that the receiver must refuse. The message does not reveal the secret. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookFault;

  /** True for errors of another copy of this class, too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "WebhookVerificationError";
  }

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Verifies a delivery and returns its event. Throws a WebhookVerificationError, which says why. */
export type VerifyWebhook = <V extends ApiVersion = ApiVersion>(
  delivery: WebhookDelivery<V>,
) => WebhookEvent<V>;

export function makeVerifyWebhook(hmac: Hmac): VerifyWebhook {
  return <V extends ApiVersion>(delivery: WebhookDelivery<V>): WebhookEvent<V> => {
    const keys = toKeys(delivery.secret);
    const body = toBytes(delivery.body);
    const header = readHeaders(delivery.headers);
    const isStandard = standardHeaders.some((name) => header(name) !== undefined);
    const scheme = isStandard || !delivery.acceptLegacy ? "standard-webhooks" : serviceHeader;
    const { nowMs = readEpochMs(), toleranceSeconds = 300 } = delivery;
    const signed = { header, body, nowMs, toleranceMs: toleranceSeconds * 1000 };
    const [fault] = checkSignature(scheme, signed, keys, hmac);
    if (fault) throw refusal(fault.reason, fault.message);
    return toEvent(body, delivery.version);
  };
}

/** Decodes Base64 secrets, with or without `whsec_`. The error does not repeat the secret. */
function toKeys(secret: string | readonly string[]): Uint8Array[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) throw invalidSecret("There is no secret.");
  return secrets.map(toKey);
}

function toKey(secret: unknown): Uint8Array {
  if (typeof secret !== "string") throw invalidSecret(`The secret must be text, not ${typeof secret}.`);
  try {
    return decodeSecret(secret);
  } catch (error) {
    throw invalidSecret((error as SecretError).message);
  }
}

const invalidSecret = (message: string) => refusal("invalid_secret", message);

function toBytes(body: unknown): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // Test runners pass buffers of another realm, for which instanceof ArrayBuffer is false.
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]")
    return new Uint8Array(body as ArrayBuffer);
  const what = body === null || body === undefined ? "missing" : `an ${typeof body}`;
  throw refusal(
    "parsed_body",
    `The body is ${what}; it must be the received text or bytes, which express.raw({ type: "*/*" }) keeps.`,
  );
}

function toEvent<V extends ApiVersion>(bytes: Uint8Array, version: V | undefined): WebhookEvent<V> {
  const event = parse(bytes);
  if (version !== undefined && event.api_version !== version) {
    const message = `The event has version ${event.api_version}, not ${version}: hooks update --api-version changes the webhook's.`;
    throw refusal("other_version", message);
  }
  // The service signs only events of the declared types.
  return event as WebhookEvent<V>;
}

function parse(bytes: Uint8Array): { type: string; api_version: string } {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const event: { type?: unknown; api_version?: unknown } = Object(value);
    const { api_version, type } = event;
    if (typeof type === "string" && typeof api_version === "string") return { ...event, type, api_version };
  } catch {
    // Not JSON: refused below.
  }
  throw refusal("malformed_body", "The body is signed, but it is not an event of a webhook.");
}

const refusal = (reason: WebhookFault, message: string) => new WebhookVerificationError(reason, message);

/** The lookup takes names in lower case and joins repeated headers with commas. */
function readHeaders(headers: WebhookHeaders): (name: string) => string | undefined {
  const given: WebhookHeaders = Object(headers);
  // A Headers object of older runtimes has no iteration. A Map has it, but would find a name in one case only.
  if (!(Symbol.iterator in given) && isReader(given)) return (name) => given.get(name) ?? undefined;
  const values = new Map<string, string>();
  for (const [name, value] of Symbol.iterator in given ? toPairs([...given]) : Object.entries(given)) {
    if (value == null) continue;
    const key = name.toLowerCase();
    const known = values.get(key);
    values.set(key, known === undefined ? `${value}` : `${known}, ${value}`);
  }
  return (name) => values.get(name);
}

type Reader = { get(name: string): string | null | undefined };

const isReader = (headers: object): headers is Reader =>
  "get" in headers && typeof headers.get === "function";

/** Of pairs, or of names and values in turn. */
function toPairs(list: readonly (string | readonly [string, string])[]): (readonly [string, unknown])[] {
  return list.flatMap((entry, at): (readonly [string, unknown])[] =>
    typeof entry !== "string" ? [entry] : at % 2 === 0 ? [[entry, list[at + 1]]] : [],
  );
}
