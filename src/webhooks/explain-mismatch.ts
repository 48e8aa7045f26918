import { parseObject } from "../models/json.ts";
import { fromHex, isEqual, type SignatureFault } from "./check-signature.ts";
import { decodeSecret, type NamedSecret } from "./secret.ts";

export type MismatchCause =
  | "body_changed"
  | "mismatch"
  | "old_secret"
  | "other_delivery"
  | "secret_as_hex"
  | "secret_as_text";

export interface Explained {
  causes: readonly (MismatchCause | SignatureFault["reason"])[];
  message: string;
}

interface Mismatched {
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The receiver's own secret first. */
  secrets: readonly NamedSecret[];
}

/** Tries other secrets and other forms of the body until the signature `fits`. */
export function explainMismatch(
  mismatched: Mismatched,
  fits: (key: Uint8Array, body: Uint8Array) => boolean,
): Explained {
  const keys = toKeys(mismatched.secrets);
  for (const form of [null, ...toBodyForms(mismatched.body)]) {
    const tried = keys.find(({ key }) => fits(key, form?.body ?? mismatched.body));
    if (!tried) continue;
    const causes: MismatchCause[] = [
      ...(tried.cause === null ? [] : [tried.cause]),
      ...(form ? (["body_changed"] as const) : []),
    ];
    return { causes, message: toSentences(tried.why, form) };
  }
  const otherId = findOtherId(mismatched);
  if (otherId !== null) return { causes: ["other_delivery"], message: otherId };
  const message =
    "The signature matches neither this body nor another form of it with any of the secrets: the secret or the body differs.";
  return { causes: ["mismatch"], message };
}

interface TriedKey {
  key: Uint8Array;
  cause: MismatchCause | null;
  /** A sentence; empty for the right key. */
  why: string;
}

function toKeys(secrets: readonly NamedSecret[]): TriedKey[] {
  const [own] = secrets;
  const right = secrets.map(({ name, text }, at): TriedKey => {
    if (at === 0) return { key: decodeSecret(text), cause: null, why: "" };
    const why = `It was signed with the secret of ${name}, not with the secret of ${own?.name}.`;
    return { key: decodeSecret(text), cause: "old_secret", why };
  });
  const wrong = secrets.flatMap(({ name, text }): TriedKey[] => {
    const trimmed = text.trim();
    const asText = [trimmed, text].map(
      (chosen): TriedKey => ({
        key: new TextEncoder().encode(chosen),
        cause: "secret_as_text",
        why: `It was signed with the text of ${name} itself; the key is its decoded Base64 text.`,
      }),
    );
    if (!/^(?:[0-9a-f]{2})+$/i.test(trimmed)) return asText;
    const why = `It was signed with ${name} read as hex digits; the key is its decoded Base64 text.`;
    return [...asText, { key: fromHex(trimmed), cause: "secret_as_hex", why }];
  });
  return [...right, ...wrong];
}

function toSentences(why: string, form: BodyForm | null): string {
  if (form === null) return why;
  const changed = `The body differs from the signed one: the signature is valid for ${form.name}. Verify the received bytes before you parse them.`;
  return why === "" ? changed : `${why} ${changed}`;
}

/** Detects headers and a body of different deliveries: webhook-id must equal the id in the body. */
function findOtherId({ headers, body }: Mismatched): string | null {
  const sent = headers["webhook-id"]?.trim();
  const inBody = readDeliveryId(body);
  if (sent === undefined || inBody === null || sent === inBody) return null;
  return `Headers and body belong to two deliveries: webhook-id is ${sent}, the body's id is ${inBody}.`;
}

function readDeliveryId(body: Uint8Array): string | null {
  const event = parseObject(new TextDecoder().decode(body));
  return typeof event?.id === "string" && event.tenant_id !== undefined ? event.id : null;
}

interface BodyForm {
  /** Completes the sentence "the signature holds for …". */
  name: string;
  body: Uint8Array;
}

/** Forms that frameworks and editors make of a body. */
function toBodyForms(body: Uint8Array): BodyForm[] {
  // The decoder drops a byte order mark.
  const text = new TextDecoder().decode(body);
  const forms: [name: string, text: string][] = [
    ["the body without its byte order mark", text],
    ["the body without white space at its end", text.trimEnd()],
    ["the body with a line feed at its end", `${text}\n`],
    ["the body with line feeds only", text.replaceAll("\r\n", "\n")],
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

/** Removes white space between tokens. Parsing would change the spelling of numbers. */
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
