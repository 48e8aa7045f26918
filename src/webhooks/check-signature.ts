import { toTimestamp } from "../runtime/clock.ts";
import type { Hmac } from "./hmac.ts";

/** Names are in lower case. */
export type Header = (name: string) => string | undefined;

/** `x-service-signature` covers the body alone, Standard Webhooks also the id and the time. */
export type SignatureScheme = "x-service-signature" | "standard-webhooks";

export interface SignedDelivery {
  header: Header;
  body: Uint8Array;
  nowMs: number;
  /** The largest difference between the time of sending and now, in both directions. */
  toleranceMs: number;
}

export interface SignatureFault {
  reason: "malformed_header" | "mismatch" | "missing_header" | "stale_timestamp";
  message: string;
}

export const serviceHeader = "x-service-signature";
export const standardHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** Works in Node and browsers. Returns no fault if one of the keys fits. A mismatch precedes a stale timestamp. */
export function checkSignature(
  scheme: SignatureScheme,
  delivery: SignedDelivery,
  keys: readonly Uint8Array[],
  hmac: Hmac,
): SignatureFault[] {
  const read = scheme === serviceHeader ? readServiceSignature : readStandardSignature;
  const signature = read(delivery.header);
  if ("reason" in signature) return [signature];
  const { digests, sign } = signature;
  // Compares every pair, so that the duration reveals nothing.
  const fits = keys.flatMap((key) => {
    const expected = sign(hmac, key, delivery.body);
    return digests.map((digest) => isEqual(digest, expected));
  });
  const age = describeAge(signature, delivery);
  return [
    ...(fits.includes(true) ? [] : [mismatch]),
    ...(age === null ? [] : [{ reason: "stale_timestamp", message: age } as const]),
  ];
}

const mismatch: SignatureFault = {
  reason: "mismatch",
  message:
    "The signature does not match: the secret or the body differs. Verify the received bytes before you parse them.",
};

interface SentSignature {
  /** Several during the rotation of a secret. */
  digests: readonly Uint8Array[];
  sign(hmac: Hmac, key: Uint8Array, body: Uint8Array): Uint8Array;
  /** Epoch seconds; null for a signature without a time. */
  sentOn: number | null;
}

function readServiceSignature(header: Header): SentSignature | SignatureFault {
  const sent = header(serviceHeader)?.trim();
  if (!sent) return toMissing([serviceHeader]);
  const [, digits] = /^sha1=([0-9a-f]{40})$/i.exec(sent) ?? [];
  if (digits === undefined)
    return toMalformed(`${serviceHeader} must be \`sha1=\` and 40 hex digits; it is ${quote(sent)}.`);
  return { digests: [fromHex(digits)], sentOn: null, sign: (hmac, key, body) => hmac("sha1", key, body) };
}

function readStandardSignature(header: Header): SentSignature | SignatureFault {
  const [id, timestamp, signatures] = standardHeaders.map((name) => header(name)?.trim());
  if (!id || !timestamp || !signatures)
    return toMissing(standardHeaders.filter((name) => !header(name)?.trim()));
  if (!/^\d{1,12}$/.test(timestamp))
    return toMalformed(`webhook-timestamp must be whole seconds since 1970; it is ${quote(timestamp)}.`);
  const digests = [...signatures.matchAll(/(?:^|[\s,])v1,([A-Za-z0-9+/]{43}=)(?=$|[\s,])/g)].map(
    ([, text = ""]) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
  );
  if (digests.length === 0)
    return toMalformed(
      `webhook-signature must hold \`v1,\` and the Base64 text of 32 bytes; it is ${quote(signatures)}.`,
    );
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  return {
    digests,
    sentOn: Number(timestamp),
    sign: (hmac, key, body) => hmac("sha256", key, join(prefix, body)),
  };
}

function describeAge({ sentOn }: SentSignature, { nowMs, toleranceMs }: SignedDelivery): string | null {
  const distanceMs = sentOn === null ? 0 : nowMs - sentOn * 1000;
  if (Math.abs(distanceMs) <= toleranceMs) return null;
  const distance = `${Math.round(Math.abs(distanceMs) / 1000)} s ${distanceMs > 0 ? "ago" : "ahead"}`;
  return `webhook-timestamp is ${toTimestamp((sentOn ?? 0) * 1000)} UTC, ${distance}; ${toleranceMs / 1000} s are allowed.`;
}

/** Takes the same time whatever the difference. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}

export const fromHex = (digits: string) =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const toMissing = (names: readonly string[]): SignatureFault => ({
  reason: "missing_header",
  message: `Missing header: ${names.join(", ")}.`,
});

const toMalformed = (message: string): SignatureFault => ({ reason: "malformed_header", message });

const quote = (text: string) => JSON.stringify(text.slice(0, 80));

export function join(prefix: Uint8Array, body: Uint8Array): Uint8Array {
  const joined = new Uint8Array(prefix.length + body.length);
  joined.set(prefix);
  joined.set(body, prefix.length);
  return joined;
}
