import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { type BodyForm, toBodyForms } from "./body-forms.ts";
import type { Hmac } from "./hmac.ts";
import {
  describeAge,
  fromHex,
  type HeaderFault,
  isEqual,
  readServiceSignature,
  readStandardSignature,
  type SentSignature,
  serviceHeader,
  standardHeaders,
} from "./read-signature.ts";
import { decodeSecret } from "./secret.ts";

/** A delivery, or a ping's answer, as somebody has captured it, and what its receiver knows. */
export interface CaughtDelivery {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The receiver's own secret first; the others only help to explain why a signature does not hold. */
  secrets: readonly NamedSecret[];
  now: Timestamp;
  /** How far the timestamp may be from `now`, in either direction. */
  toleranceMs: number;
  /** Whether `x-service-signature` alone is enough, which has no time in it. */
  acceptsLegacy: boolean;
}

/** A secret as the user gave it (OP-72), and the name by which messages call it. */
export interface NamedSecret {
  name: string;
  text: string;
}

/** Why a signature does not hold. */
export type Cause =
  | "body_changed"
  | "malformed_header"
  | "mismatch"
  | "missing_header"
  | "old_secret"
  | "other_delivery"
  | "other_header"
  | "secret_as_hex"
  | "secret_as_text"
  | "stale_timestamp";

/** One signature. `holds` is null when it is missing and need not be there; `causes` is empty unless `holds` is false. */
export interface SignatureVerdict {
  scheme: "x-service-signature" | "standard-webhooks";
  holds: boolean | null;
  causes: readonly Cause[];
  message: string;
}

/** Both signatures. `holds` means that there is at least one, and that none fails. */
export interface VerifyReport {
  holds: boolean;
  signatures: readonly SignatureVerdict[];
}

/**
 * Checks the signatures of OP-73 as a receiver must, and looks for the usual mistakes behind one that fails, in Node and in
 * browsers, by an HMAC that works there. Throws `SecretError` for a text that cannot be a secret.
 */
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
  const scheme = "x-service-signature";
  const signature = readServiceSignature((name) => caught.headers[name]);
  if (!("fault" in signature)) return judge(scheme, caught, signature);
  const elsewhere = signature.fault === "missing_header" ? findElsewhere(caught) : null;
  const isOtherThere = caught.headers["webhook-signature"] !== undefined;
  return toFault(scheme, signature, elsewhere, isOtherThere);
}

function checkStandardSignature(caught: Caught): SignatureVerdict {
  const scheme = "standard-webhooks";
  const { headers } = caught;
  const signature = readStandardSignature((name) => headers[name]);
  if ("fault" in signature) {
    const elsewhere = signature.fault === "missing_header" ? findSvix(caught) : null;
    const isPartlyThere = standardHeaders.some((name) => headers[name] !== undefined);
    const isOtherAlone = headers[serviceHeader] !== undefined && !isPartlyThere;
    const fault = isOtherAlone ? { ...signature, message: `${signature.message} ${timeless}` } : signature;
    return toFault(scheme, fault, elsewhere, isOtherAlone && caught.acceptsLegacy);
  }
  const verdict = judge(scheme, caught, signature);
  const age = describeAge(signature, { nowMs: toEpochMs(caught.now), toleranceMs: caught.toleranceMs });
  if (age === null) return verdict;
  const causes: Cause[] = [...verdict.causes, "stale_timestamp"];
  return { ...verdict, holds: false, causes, message: `${verdict.message} ${age}` };
}

const timeless =
  "The time of sending is in no other signature: an old delivery can be sent again without it.";

/** A signature that is missing is no failure where the other one is enough and nothing stands in its place. */
function toFault(
  scheme: SignatureVerdict["scheme"],
  { fault, message }: HeaderFault,
  elsewhere: string | null,
  isOtherEnough: boolean,
): SignatureVerdict {
  if (elsewhere !== null)
    return { scheme, holds: false, causes: [fault, "other_header"], message: `${message} ${elsewhere}` };
  if (fault === "missing_header" && isOtherEnough) return { scheme, holds: null, causes: [], message };
  return { scheme, holds: false, causes: [fault], message };
}

/** Looks for the right signature under another name. */
function findElsewhere({ headers, hmac, body, secrets }: Caught): string | null {
  for (const { text } of secrets) {
    const digest = toHex(hmac("sha1", decodeSecret(text), body));
    const found = Object.keys(headers).find((name) => headers[name]?.toLowerCase().includes(digest));
    if (found) return `Its signature stands in ${found}; receivers must read x-service-signature.`;
  }
  return null;
}

function findSvix({ headers }: CaughtDelivery): string | null {
  if (headers["svix-signature"] === undefined) return null;
  return "There is svix-signature; this service signs in webhook-id, webhook-timestamp and webhook-signature.";
}

/** Tries the right secret and body, then wrong secrets, then other forms of the body with each of them. */
function judge(
  scheme: SignatureVerdict["scheme"],
  caught: Caught,
  { digests, sign }: SentSignature,
): SignatureVerdict {
  const keys = toKeys(caught.secrets);
  const bodies: (BodyForm | null)[] = [null, ...toBodyForms(caught.body)];
  for (const form of bodies) {
    for (const key of keys) {
      const expected = sign(caught.hmac, key.key, form?.body ?? caught.body);
      if (!digests.some((digest) => isEqual(digest, expected))) continue;
      const causes: Cause[] = [
        ...(key.cause === null ? [] : [key.cause]),
        ...(form === null ? [] : (["body_changed"] as const)),
      ];
      if (causes.length === 0) return { scheme, holds: true, causes, message: "The signature holds." };
      return { scheme, holds: false, causes, message: toSentences(key.why, form) };
    }
  }
  const otherId = findOtherId(caught);
  if (otherId !== null) return { scheme, holds: false, causes: ["other_delivery"], message: otherId };
  const message =
    "The signature fits neither this body nor another form of it with any of the secrets: another secret, or a body that was changed.";
  return { scheme, holds: false, causes: ["mismatch"], message };
}

interface TriedKey {
  key: Uint8Array;
  cause: Cause | null;
  /** A sentence; empty for the right key. */
  why: string;
}

function toKeys(secrets: readonly NamedSecret[]): TriedKey[] {
  const [own] = secrets;
  const right = secrets.map(({ name, text }, at): TriedKey => {
    if (at === 0) return { key: decodeSecret(text), cause: null, why: "" };
    const why = `It was signed with the secret of ${name}, not with that of ${own?.name}.`;
    return { key: decodeSecret(text), cause: "old_secret", why };
  });
  const wrong = secrets.flatMap(({ name, text }): TriedKey[] => {
    const trimmed = text.trim();
    const asText = [trimmed, text].map(
      (chosen): TriedKey => ({
        key: new TextEncoder().encode(chosen),
        cause: "secret_as_text",
        why: `It was signed with the text of ${name} itself; the key is the bytes behind its Base64 text.`,
      }),
    );
    if (!/^(?:[0-9a-f]{2})+$/i.test(trimmed)) return asText;
    const why = `It was signed with ${name} read as hex digits; the key is the bytes behind its Base64 text.`;
    return [...asText, { key: fromHex(trimmed), cause: "secret_as_hex", why }];
  });
  return [...right, ...wrong];
}

function toSentences(why: string, form: BodyForm | null): string {
  if (form === null) return why;
  const changed = `The body is not what was signed: the signature holds for ${form.name}. Verify the bytes as they came, before anything parses them.`;
  return why === "" ? changed : `${why} ${changed}`;
}

/** Finds headers and body of different deliveries: webhook-id must be the id in the body (OP-73, OP-74). */
function findOtherId({ headers, body }: CaughtDelivery): string | null {
  const sent = headers["webhook-id"]?.trim();
  const inBody = readDeliveryId(body);
  if (sent === undefined || inBody === null || sent === inBody) return null;
  return `Headers and body are of two deliveries: webhook-id is ${sent}, the body's id is ${inBody}.`;
}

function readDeliveryId(body: Uint8Array): string | null {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as { id?: unknown; tenant_id?: unknown } | null;
    return typeof event?.id === "string" && event.tenant_id !== undefined ? event.id : null;
  } catch {
    return null;
  }
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
