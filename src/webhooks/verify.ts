import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import {
  checkSignature,
  fromHex,
  isEqual,
  type SignatureFault,
  type SignatureScheme,
  serviceHeader,
  standardHeaders,
} from "./check-signature.ts";
import type { Hmac } from "./hmac.ts";
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
  | SignatureFault["reason"]
  | "body_changed"
  | "old_secret"
  | "other_delivery"
  | "other_header"
  | "secret_as_hex"
  | "secret_as_text";

/** One signature. `holds` is null when it is missing and need not be there; `causes` is empty unless `holds` is false. */
export interface SignatureVerdict {
  scheme: SignatureScheme;
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

const timeless =
  "The time of sending is in no other signature: an old delivery can be sent again without it.";

const isMissing = ([fault]: readonly SignatureFault[]) => fault?.reason === "missing_header";

/** Checks a signature by the receiver's own secret, or by another key, and for another body. */
function check(
  scheme: SignatureScheme,
  { headers, body, hmac, now, secrets, toleranceMs }: Caught,
  tried: { key?: Uint8Array; body?: Uint8Array } = {},
): SignatureFault[] {
  const keys = tried.key ? [tried.key] : secrets.slice(0, 1).map(({ text }) => decodeSecret(text));
  const delivery = {
    header: (name: string) => headers[name],
    body: tried.body ?? body,
    nowMs: toEpochMs(now),
    toleranceMs,
  };
  return checkSignature(scheme, delivery, keys, hmac);
}

/** A missing signature is no failure where the other one is enough and nothing stands in its place. */
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
  const explained = found.faults.map((one) =>
    one.reason === "mismatch" ? explain(scheme, caught) : toExplained(one),
  );
  const messages = explained.map(({ message }) => message);
  if (fault.reason === "stale_timestamp") messages.unshift(holdsMessage);
  return {
    scheme,
    holds: false,
    causes: explained.flatMap(({ causes }) => causes),
    message: messages.join(" "),
  };
}

const holdsMessage = "The signature holds.";

type Explained = Pick<SignatureVerdict, "causes" | "message">;

const toExplained = ({ reason, message }: SignatureFault): Explained => ({ causes: [reason], message });

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

/** Explains a mismatch: tries wrong secrets, then other forms of the body with each secret. */
function explain(scheme: SignatureScheme, caught: Caught): Explained {
  const keys = toKeys(caught.secrets);
  for (const form of [null, ...toBodyForms(caught.body)]) {
    for (const { key, cause, why } of keys) {
      const faults = check(scheme, caught, { key, ...(form && { body: form.body }) });
      if (faults.some(({ reason }) => reason === "mismatch")) continue;
      const causes: Cause[] = [
        ...(cause === null ? [] : [cause]),
        ...(form ? (["body_changed"] as const) : []),
      ];
      return { causes, message: toSentences(why, form) };
    }
  }
  const otherId = findOtherId(caught);
  if (otherId !== null) return { causes: ["other_delivery"], message: otherId };
  const message =
    "The signature fits neither this body nor another form of it with any of the secrets: another secret, or a body that was changed.";
  return { causes: ["mismatch"], message };
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

/** Another form of a body, with the same JSON. */
interface BodyForm {
  /** What it is, as in "the signature holds for …". */
  name: string;
  body: Uint8Array;
}

/** The forms of a body that frameworks and editors produce: the sender may have signed any of them. */
function toBodyForms(body: Uint8Array): BodyForm[] {
  // It leaves a byte order mark out.
  const text = new TextDecoder().decode(body);
  const forms: [name: string, text: string][] = [
    ["the body without its byte order mark", text],
    ["the body without white space at its end", text.trimEnd()],
    ["the body with a line feed at its end", `${text}\n`],
    ["the body with line feeds alone", text.replaceAll("\r\n", "\n")],
    ["the compact JSON of the body", squeeze(text)],
    ...toWrittenForms(text),
  ];
  return forms
    .map(([name, form]) => ({ name, body: new TextEncoder().encode(form) }))
    .filter((form) => !isEqual(form.body, body));
}

function toWrittenForms(text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const sorted = sortKeys(value);
  return [
    ["the compact JSON of the body", JSON.stringify(value)],
    ["the compact JSON of the body, its keys sorted", JSON.stringify(sorted)],
    ["the compact JSON of the body, escaped to ASCII", toAscii(JSON.stringify(value))],
    ["the JSON of the body, indented by 2", JSON.stringify(value, null, 2)],
    ["the JSON of the body, indented by 4", JSON.stringify(value, null, 4)],
    ["the JSON of the body with spaces after commas and colons", space(JSON.stringify(value))],
    [
      "the JSON of the body with spaces after commas and colons, escaped to ASCII",
      toAscii(space(JSON.stringify(value))),
    ],
  ];
}

const stringOrSpace = /("(?:[^"\\]|\\.)*")|\s+/g;
const stringOrMark = /("(?:[^"\\]|\\.)*")|([,:])/g;

/** Removes white space between tokens. Unlike parsing, it keeps numbers as they are written. */
const squeeze = (json: string) =>
  json.replace(stringOrSpace, (_, string: string | undefined) => string ?? "");

const space = (json: string) =>
  json.replace(stringOrMark, (_, string: string | undefined, mark: string) => string ?? `${mark} `);

const toAscii = (json: string) =>
  json.replace(/[\u0080-\uFFFF]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortKeys(inner)]));
}
