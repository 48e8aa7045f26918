import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import {
  checkSignature,
  type SignatureFault,
  type SignatureScheme,
  serviceHeader,
  standardHeaders,
} from "./check-signature.ts";
import { type Explained, explainMismatch, type MismatchCause } from "./explain-mismatch.ts";
import type { Hmac } from "./hmac.ts";
import { decodeSecret, type NamedSecret } from "./secret.ts";

export interface CaughtDelivery {
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The receiver's own secret first. The others help to explain a mismatch. */
  secrets: readonly NamedSecret[];
  now: Timestamp;
  /** The largest difference between the timestamp and `now`, in both directions. */
  toleranceMs: number;
  /** Whether `x-service-signature` alone, which has no time, is enough. */
  acceptsLegacy: boolean;
}

export type Cause = SignatureFault["reason"] | MismatchCause | "other_header";

/** `holds` is null for a missing optional signature. `causes` is empty unless `holds` is false. */
export interface SignatureVerdict {
  scheme: SignatureScheme;
  holds: boolean | null;
  causes: readonly Cause[];
  message: string;
}

/** `holds`: at least one signature is there, and none fails. */
export interface VerifyReport {
  holds: boolean;
  signatures: readonly SignatureVerdict[];
}

/** Checks signatures as a receiver must, and explains a mismatch. Works in Node and browsers. Throws `SecretError`. */
export function verifyDelivery(delivery: CaughtDelivery, hmac: Hmac): VerifyReport {
  const caught = { ...delivery, hmac };
  const signatures = [checkServiceSignature(caught), checkStandardSignature(caught)];
  const isSigned = signatures.some(({ holds }) => holds !== null);
  return { holds: isSigned && signatures.every(({ holds }) => holds !== false), signatures };
}

interface Caught extends CaughtDelivery {
  hmac: Hmac;
}

function checkServiceSignature(caught: Caught): SignatureVerdict {
  const scheme = serviceHeader;
  const faults = check(scheme, caught);
  const elsewhere = isMissing(faults) ? findElsewhere(caught) : null;
  return toVerdict(scheme, caught, {
    faults,
    elsewhere,
    isOtherEnough: "webhook-signature" in caught.headers,
  });
}

function checkStandardSignature(caught: Caught): SignatureVerdict {
  const scheme = "standard-webhooks";
  const { acceptsLegacy, headers } = caught;
  const isOtherAlone = serviceHeader in headers && !standardHeaders.some((name) => name in headers);
  const faults = check(scheme, caught).map((fault) =>
    isOtherAlone ? { ...fault, message: `${fault.message} ${timeless}` } : fault,
  );
  const elsewhere = isMissing(faults) ? findSvix(caught) : null;
  return toVerdict(scheme, caught, { faults, elsewhere, isOtherEnough: isOtherAlone && acceptsLegacy });
}

const timeless = "Only this signature covers the time: without it, an old delivery can be replayed.";

const isMissing = ([fault]: readonly SignatureFault[]) => fault?.reason === "missing_header";

function check(
  scheme: SignatureScheme,
  { headers, body, hmac, now, secrets, toleranceMs }: Caught,
  other?: { key: Uint8Array; body: Uint8Array },
): SignatureFault[] {
  const keys = other ? [other.key] : secrets.slice(0, 1).map(({ text }) => decodeSecret(text));
  const times = { nowMs: toEpochMs(now), toleranceMs };
  const delivery = { header: (name: string) => headers[name], body: other?.body ?? body, ...times };
  return checkSignature(scheme, delivery, keys, hmac);
}

/** A missing signature fails only if it is required or if another header has it. */
function toVerdict(
  scheme: SignatureScheme,
  caught: Caught,
  found: { faults: readonly SignatureFault[]; elsewhere: string | null; isOtherEnough: boolean },
): SignatureVerdict {
  const [fault] = found.faults;
  if (!fault) return { scheme, holds: true, causes: [], message: holdsMessage };
  if (found.elsewhere !== null) {
    const message = `${fault.message} ${found.elsewhere}`;
    return { scheme, holds: false, causes: [fault.reason, "other_header"], message };
  }
  if (fault.reason === "missing_header" && found.isOtherEnough)
    return { scheme, holds: null, causes: [], message: fault.message };
  const fits = (key: Uint8Array, body: Uint8Array) =>
    check(scheme, caught, { key, body }).every(({ reason }) => reason !== "mismatch");
  const explained = found.faults.map(
    ({ reason, message }): Explained =>
      reason === "mismatch" ? explainMismatch(caught, fits) : { causes: [reason], message },
  );
  const messages = explained.map(({ message }) => message);
  if (fault.reason === "stale_timestamp") messages.unshift(holdsMessage);
  const causes = explained.flatMap((one) => one.causes);
  return { scheme, holds: false, causes, message: messages.join(" ") };
}

const holdsMessage = "The signature holds.";

function findElsewhere({ headers, hmac, body, secrets }: Caught): string | null {
  for (const { text } of secrets) {
    const digest = toHex(hmac("sha1", decodeSecret(text), body));
    const found = Object.keys(headers).find((name) => headers[name]?.toLowerCase().includes(digest));
    if (found) return `Its signature is in ${found}; receivers must read x-service-signature.`;
  }
  return null;
}

function findSvix({ headers }: CaughtDelivery): string | null {
  if (headers["svix-signature"] === undefined) return null;
  return "There is svix-signature; this service signs in webhook-id, webhook-timestamp and webhook-signature.";
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
