import { isEqual } from "./read-signature.ts";

/** Another form of a body, with the same JSON. */
export interface BodyForm {
  /** What it is, as in "the signature holds for …". */
  name: string;
  body: Uint8Array;
}

/** The forms of a body that frameworks and editors produce: the sender may have signed any of them. */
export function toBodyForms(body: Uint8Array): BodyForm[] {
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
