import * as z from "zod";
import type { ErrorCode } from "../errors/errors.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { durationPattern, readDuration } from "../runtime/duration.ts";
import { countryCodes } from "./country-codes.ts";
import { findUrlProblem } from "./http-url.ts";
import { lazySchema, originOf } from "./lazy-schema.ts";
import { parseTimestamp } from "./timestamps.ts";

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = { [keyword: string]: unknown };

/** What is known of a field besides how it is read: its schemas for the way in and out, and its place in time. */
export interface FieldKind {
  name: "boolean" | "choice" | "integer" | "number" | "object" | "text" | "timestamp";
  input: JsonSchema;
  /** Differs from `input` where more is accepted than is ever answered. */
  output: JsonSchema;
  /** Whoever knows the value can act with it: answers that show it are kept by nobody. */
  isSecret?: true;
  when?: "past" | "future";
  /** The name under which documents keep `input` once, instead of at each field. */
  sharedAs?: string;
}

/** The kind of each field, by its schema. The JSON Schemas of flags and of the OpenAPI document come from it. */
export const fieldKinds = {
  get: (schema: z.core.$ZodType): FieldKind | undefined => kinds.get(originOf(schema)),
};

const kinds = new WeakMap<z.core.$ZodType, FieldKind>();

/** Why a value is refused: a code of the error table and the rest of a sentence that begins with the field. */
interface Refusal {
  code: ErrorCode;
  message: string;
}

type Reading<T> = { value: T } | Refusal;

/** Declares a field kind: `read` checks a JSON value and gives it in the form it is stored in. */
export function defineField<T>(kind: FieldKind, read: (value: unknown) => Reading<T>) {
  const make = () =>
    z.transform((value: unknown, context): T => {
      const reading = value === undefined || value === null ? missing : read(value);
      if ("value" in reading) return reading.value;
      context.issues.push({
        code: "custom",
        input: value,
        params: { code: reading.code },
        message: reading.message,
      });
      return z.NEVER;
    });
  const schema = lazySchema({ type: "transform" }, make);
  kinds.set(schema, kind);
  return schema;
}

const missing: Refusal = { code: "missing_value", message: "is required" };

/** A refusal, for `defineField`. */
export const refuse = (code: ErrorCode, message: string): Refusal => ({ code, message });

/** Boolean: true, false, 0, 1 and the texts 0, 1, true, false in any case; stored as a JSON boolean. */
export function boolean() {
  plainBoolean ??= defineField<boolean>(
    { name: "boolean", input: booleanInput, output: { type: "boolean" }, sharedAs: "BooleanInput" },
    (value) => {
      const word = typeof value === "string" ? value.toLowerCase() : value;
      if (word === true || word === 1 || word === "1" || word === "true") return { value: true };
      if (word === false || word === 0 || word === "0" || word === "false") return { value: false };
      return refuse("wrong_type", "must be a Boolean: true, false, 0 or 1");
    },
  );
  return plainBoolean;
}

let plainBoolean: ReturnType<typeof defineField<boolean>> | undefined;

/** Integer within inclusive bounds, by default ±(2^53 − 1). */
export function integer(min: number = Number.MIN_SAFE_INTEGER, max: number = Number.MAX_SAFE_INTEGER) {
  const bounds = toNumberBounds(min, max);
  const schema = { type: "integer", ...bounds };
  return defineField<number>({ name: "integer", input: schema, output: schema }, (value) => {
    if (typeof value !== "number" || !Number.isInteger(value))
      return refuse("wrong_type", "must be an Integer");
    return withinBounds(value, min, max);
  });
}

/** Identifier of a record: a positive Integer. */
export function id() {
  plainId ??= integer(1);
  return plainId;
}

let plainId: ReturnType<typeof integer> | undefined;

/** Identifier in a query, where an empty text stands for none. */
export function idOrEmpty() {
  const schema = {
    anyOf: [
      { type: "integer", minimum: 1 },
      { type: "string", const: "" },
    ],
  };
  return defineField<number | null>({ name: "integer", input: schema, output: schema }, (value) => {
    if (value === "") return { value: null };
    if (typeof value !== "number" || !Number.isInteger(value))
      return refuse("wrong_type", "must be an Integer or empty");
    return withinBounds(value, 1, Number.MAX_SAFE_INTEGER);
  });
}

/** Float within inclusive bounds. */
export function number(min = -Number.MAX_VALUE, max: number = Number.MAX_VALUE) {
  const schema = { type: "number", ...toNumberBounds(min, max) };
  return defineField<number>({ name: "number", input: schema, output: schema }, (value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) return refuse("wrong_type", "must be a number");
    return withinBounds(value, min, max);
  });
}

/** Direction in degrees, clockwise from north: 0 inclusive to 360 exclusive. */
export function heading() {
  const schema = { type: "number", minimum: 0, exclusiveMaximum: 360 };
  return defineField<number>({ name: "number", input: schema, output: schema }, (value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) return refuse("wrong_type", "must be a number");
    if (value >= 360) return refuse("too_big", `must be below 360, not ${value}`);
    return withinBounds(value, 0, 360);
  });
}

function toNumberBounds(min: number, max: number): JsonSchema {
  const hasMin = min > Number.MIN_SAFE_INTEGER && min > -Number.MAX_VALUE;
  const hasMax = max < Number.MAX_SAFE_INTEGER;
  return { ...(hasMin && { minimum: min }), ...(hasMax && { maximum: max }) };
}

function withinBounds(value: number, min: number, max: number): Reading<number> {
  if (value < min) return refuse("too_small", `must be at least ${min}, not ${value}`);
  if (value > max) return refuse("too_big", `must be at most ${max}, not ${value}`);
  return { value };
}

/** Text of `min` to `max` Unicode code points, stored as it is given. */
export function text(min: number, max: number) {
  const schema = { type: "string", ...(min > 0 && { minLength: min }), maxLength: max };
  return textual(schema, (value) => checkLength(value, min, max));
}

/** A field of kind text whose `refusal` says what else is wrong with a well-formed text. */
function textual(
  schema: JsonSchema,
  refusal: (value: string) => Refusal | null,
  hints: Pick<FieldKind, "isSecret"> = {},
) {
  return defineField<string>({ name: "text", input: schema, output: schema, ...hints }, (value) =>
    readText(value, refusal),
  );
}

/** An access token as text, which is secret. */
export function tokenText() {
  const schema = { type: "string", minLength: 1, maxLength: 256 };
  return textual(schema, (value) => checkLength(value, 1, 256), { isSecret: true });
}

/** Text as it may be stored, unless `refusal` says what is wrong with it. */
export function readText(value: unknown, refusal: (value: string) => Refusal | null): Reading<string> {
  if (typeof value !== "string") return refuse("wrong_type", "must be text");
  if (value.includes("\0") || !value.isWellFormed()) {
    return refuse("invalid_text", "must not hold NUL characters or halves of surrogate pairs");
  }
  return refusal(value) ?? { value };
}

/** Identifier as a text of at most `max` characters; a text that is no id stands for no record, and is read as 0. */
export function idAsText(max: number) {
  const schema = { type: "string", maxLength: max };
  return defineField<number>({ name: "text", input: schema, output: schema }, (value) => {
    const reading = readText(value, (sent) => checkLength(sent, 0, max));
    if (!("value" in reading)) return reading;
    return { value: /^\d{1,15}$/.test(reading.value) ? Number(reading.value) : 0 };
  });
}

/** Why a text has not `min` to `max` code points; null when it has. */
export function checkLength(value: string, min: number, max: number): Refusal | null {
  // A text never has more code points than UTF-16 units, so most need no counting.
  if (value.length <= max && value.length >= 2 * min) return null;
  const length = countCodePoints(value);
  if (length >= min && length <= max) return null;
  const bounds = min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
  return refuse(length < min ? "too_short" : "too_long", `must have ${bounds}, not ${length}`);
}

function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** A date in any form of ISO 8601 that docs/interface.md lists, stored as a timestamp. `when` is checked against the request's moment. */
export function timestamp(when?: "past" | "future") {
  const input = { type: "string", maxLength: timestampMax, examples: ["2026-11-21T08:30:00Z"] };
  const output = {
    type: "string",
    pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$",
    examples: ["2026-11-21T08:30:00.000000"],
  };
  return defineField<Timestamp>({ name: "timestamp", input, output, ...(when && { when }) }, (value) => {
    if (typeof value !== "string")
      return refuse("wrong_type", "must be a date as text, like 2026-11-21T08:30:00Z");
    if (value.length > timestampMax)
      return refuse("too_long", `must have at most ${timestampMax} characters`);
    const moment = parseTimestamp(value);
    return moment
      ? { value: moment }
      : refuse("invalid_date", "must be an ISO 8601 date, like 2026-11-21T08:30:00Z");
  });
}

/** The longest form of a date that says anything has 40; fractions of a second may have more digits than are kept. */
const timestampMax = 64;

/** A duration like 30s, 5m, 2h or 3d, read as milliseconds. */
export function duration() {
  const schema = { type: "string", pattern: durationPattern, examples: ["3d"] };
  return defineField<number>({ name: "text", input: schema, output: schema }, (value) => {
    if (typeof value !== "string") return refuse("wrong_type", "must be text, like 3d");
    const ms = readDuration(value);
    return ms === null
      ? refuse("invalid_text", "must be a duration of at most 100 days, like 30s, 5m, 2h or 3d")
      : { value: ms };
  });
}

/** One of the listed words, case as written. */
export function choice<const Word extends string>(words: readonly Word[]) {
  const schema = { type: "string", enum: [...words] };
  return defineField<Word>({ name: "choice", input: schema, output: schema }, (value) => {
    if (typeof value !== "string") return refuse("wrong_type", `must be text, one of ${words.join(", ")}`);
    const word = words.find((known) => known === value);
    return word ? { value: word } : refuse("invalid_choice", `must be one of ${words.join(", ")}`);
  });
}

/** A JSON object with any fields; in an answer the keys of all objects in it are in alphabetical order. */
export function jsonObject() {
  const schema = { type: "object" };
  return defineField<Record<string, unknown>>({ name: "object", input: schema, output: schema }, (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? { value: { ...value } }
      : refuse("wrong_type", "must be an object"),
  );
}

/** Which records are meant: all of a kind, those with an id, or the one with both; null leaves either open. */
interface RecordFilter {
  type: string | null;
  id: number | null;
}

/** A filter by record, for parameters: `Job`, `17` or `Job:17`. */
export function recordFilter(types: readonly string[]) {
  const schema = { type: "string", pattern: recordPattern.source, examples: ["Job:17"] };
  return defineField<RecordFilter>({ name: "text", input: schema, output: schema }, (value) => {
    if (typeof value !== "string") return refuse("wrong_type", "must be text");
    const parts = recordPattern.exec(value)?.groups;
    if (!parts) return refuse("invalid_format", "must be a kind of record, an id, or both, like Job:17");
    const type = parts.type ?? null;
    if (type !== null && !types.includes(type))
      return refuse("invalid_choice", `must begin with one of ${types.join(", ")}, not ${type}`);
    const number = parts.id ?? parts.alone;
    return { value: { type, id: number === undefined ? null : Number(number) } };
  });
}

const recordPattern = /^(?:(?<type>[A-Za-z]+)(?::(?<id>[1-9][0-9]{0,14}))?|(?<alone>[1-9][0-9]{0,14}))$/;

/** Country: an officially assigned ISO 3166-1 alpha-2 code, in capitals. */
export function countryCode() {
  return textual({ type: "string", pattern: "^[A-Z]{2}$", examples: ["US"] }, (value) =>
    countryCodes.has(value)
      ? null
      : refuse("invalid_format", "must be an ISO 3166-1 alpha-2 country code in capitals, like US"),
  );
}

/**
 * Comma-separated integer ids up to 2^53 − 1 with white space (newline, space, tab) around them, within a length; the empty
 * text lists none.
 */
export function csvIds(max: number) {
  return textual(
    { type: "string", maxLength: max, pattern: csvIdsPattern.source, examples: ["12, 15"] },
    (value) => {
      const length = checkLength(value, 0, max);
      if (length) return length;
      const isList = csvIdsPattern.test(value);
      if (isList && value.split(",").every((id) => Number(id) <= Number.MAX_SAFE_INTEGER)) return null;
      return refuse("invalid_format", "must be integer ids separated by commas, like 12, 15");
    },
  );
}

const csvIdsPattern = /^(?:[ \t\n]*\d{1,16}[ \t\n]*(?:,[ \t\n]*\d{1,16}[ \t\n]*)*)?$/;

/** A list of e-mail addresses separated by commas, within a length. */
export function emailList(max: number) {
  return textual(
    { type: "string", maxLength: max, examples: ["office@example.com, yard@example.com"] },
    (value) => {
      const length = checkLength(value, 0, max);
      if (length) return length;
      const isList =
        value.trim() === "" || value.split(",").every((address) => emailPattern.test(address.trim()));
      return isList
        ? null
        : refuse("invalid_format", "must be one or more e-mail addresses separated by commas");
    },
  );
}

/** One e-mail address, within a length. */
export function email(max: number) {
  return textual({ type: "string", maxLength: max, examples: ["office@example.com"] }, (value) => {
    const length = checkLength(value, 0, max);
    if (length) return length;
    return emailPattern.test(value) ? null : refuse("invalid_format", "must be an e-mail address");
  });
}

const emailPattern = /^[^\s@,]+@[^\s@,.]+(?:\.[^\s@,.]+)*$/;

/** A new password: 6 characters or more, a capital letter and a digit among them. Commands read it from a file. */
export function password() {
  const schema = { type: "string", format: "password", minLength: 6, maxLength: passwordMax };
  return textual(schema, (value) => {
    const length = checkLength(value, 6, passwordMax);
    if (length) return length;
    return /\p{Lu}/u.test(value) && /\p{Nd}/u.test(value)
      ? null
      : refuse("invalid_format", "must have a capital letter and a digit");
  });
}

/** Longer than any that is typed or made; hashing one must not take for ever. */
const passwordMax = 1024;

/** UUID in its hyphenated text form, any version. */
export function uuid() {
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  return textual({ type: "string", format: "uuid" }, (value) =>
    pattern.test(value)
      ? null
      : refuse("invalid_format", "must be a UUID, like 2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a"),
  );
}

/** Absolute http or https address without user info and fragment, at most 2048 characters. */
export function httpUrl() {
  const schema = { type: "string", maxLength: 2048, pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\\\#]+$" };
  return textual({ ...schema, examples: ["https://example.com/hook"] }, (value) => {
    const problem = findUrlProblem(value);
    return problem ? refuse("invalid_format", problem) : null;
  });
}

/** A colour, `#rrggbb`. */
export function hexColor() {
  return textual({ type: "string", pattern: "^#[0-9a-fA-F]{6}$", examples: ["#1f6feb"] }, (value) =>
    /^#[0-9a-f]{6}$/i.test(value) ? null : refuse("invalid_format", "must be a colour like #1f6feb"),
  );
}

/** The forms of a Boolean that is sent, as JSON Schema; generators take the first for its type. */
const booleanInput = {
  description: "true or false; 0, 1 and these words as text, in any case, are accepted too",
  anyOf: [
    { type: "boolean" },
    { type: "integer", enum: [0, 1] },
    { type: "string", pattern: "^(?:[01]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$" },
  ],
};
