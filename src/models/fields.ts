import * as z from "zod";
import type { ErrorCode } from "../errors/errors.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { durationPattern, readDuration } from "../runtime/duration.ts";
import { countryCodes } from "./country-codes.ts";
import { findUrlProblem } from "./http-url.ts";
import { lazySchema, originOf } from "./lazy-schema.ts";
import { parseTimestamp } from "./timestamps.ts";

export type JsonSchema = { [keyword: string]: unknown };

/** The facts of a field: schemas for input and output, and whether a time must be past or future. */
export interface FieldKind {
  name: "boolean" | "choice" | "integer" | "number" | "object" | "text" | "timestamp";
  input: JsonSchema;
  /** Differs from `input` if the service accepts more forms than it returns. */
  output: JsonSchema;
  /** A credential: no cache keeps responses with it. */
  isSecret?: true;
  when?: "past" | "future";
  /** Documents define `input` once under this name. */
  sharedAs?: string;
}

/** The JSON Schemas of options and of the OpenAPI document use these facts. */
export const fieldKinds = {
  get: (schema: z.core.$ZodType): FieldKind | undefined => kinds.get(originOf(schema)),
};

const kinds = new WeakMap<z.core.$ZodType, FieldKind>();

/** `message` is the rest of a sentence that begins with the field. */
interface Refusal {
  code: ErrorCode;
  message: string;
}

type Reading<T> = { value: T } | Refusal;

/** `read` checks a JSON value and returns it in its stored form. */
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

export const refuse = (code: ErrorCode, message: string): Refusal => ({ code, message });

/** true, false, 0, 1, and the texts 0, 1, true, false in any case; stored as a JSON Boolean. */
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

/** Inclusive bounds. Default: ±(2^53 − 1). */
export function integer(min: number = Number.MIN_SAFE_INTEGER, max: number = Number.MAX_SAFE_INTEGER) {
  const bounds = toNumberBounds(min, max);
  const schema = { type: "integer", ...bounds };
  return defineField<number>({ name: "integer", input: schema, output: schema }, (value) => {
    if (typeof value !== "number" || !Number.isInteger(value))
      return refuse("wrong_type", "must be an Integer");
    return withinBounds(value, min, max);
  });
}

export function id() {
  plainId ??= integer(1);
  return plainId;
}

let plainId: ReturnType<typeof integer> | undefined;

/** For a query, where an empty text means none. */
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

export function number(min = -Number.MAX_VALUE, max: number = Number.MAX_VALUE) {
  const schema = { type: "number", ...toNumberBounds(min, max) };
  return defineField<number>({ name: "number", input: schema, output: schema }, (value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) return refuse("wrong_type", "must be a number");
    return withinBounds(value, min, max);
  });
}

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

/** In Unicode code points. Stored as sent. */
export function text(min: number, max: number) {
  const schema = { type: "string", ...(min > 0 && { minLength: min }), maxLength: max };
  return textual(schema, (value) => checkLength(value, min, max));
}

/** `refusal` checks a well-formed text further. */
function textual(
  schema: JsonSchema,
  refusal: (value: string) => Refusal | null,
  hints: Pick<FieldKind, "isSecret"> = {},
) {
  return defineField<string>({ name: "text", input: schema, output: schema, ...hints }, (value) =>
    readText(value, refusal),
  );
}

export function tokenText() {
  const schema = { type: "string", minLength: 1, maxLength: 256 };
  return textual(schema, (value) => checkLength(value, 1, 256), { isSecret: true });
}

export function readText(value: unknown, refusal: (value: string) => Refusal | null): Reading<string> {
  if (typeof value !== "string") return refuse("wrong_type", "must be text");
  if (value.includes("\0") || !value.isWellFormed()) {
    return refuse("invalid_text", "must not hold NUL characters or halves of surrogate pairs");
  }
  return refusal(value) ?? { value };
}

/** A text that is not an id reads as 0, which matches no record. */
export function idAsText(max: number) {
  const schema = { type: "string", maxLength: max };
  return defineField<number>({ name: "text", input: schema, output: schema }, (value) => {
    const reading = readText(value, (sent) => checkLength(sent, 0, max));
    if (!("value" in reading)) return reading;
    return { value: /^\d{1,15}$/.test(reading.value) ? Number(reading.value) : 0 };
  });
}

/** In code points; null if the length is right. */
export function checkLength(value: string, min: number, max: number): Refusal | null {
  // A text never has more code points than UTF-16 units, so most need no counting.
  if (value.length <= max && value.length >= 2 * min) return null;
  const length = countCodePoints(value);
  if (length >= min && length <= max) return null;
  const bounds = min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
  return refuse(length < min ? "too_short" : "too_long", `must have ${bounds}, not ${length}`);
}

export function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** Any ISO 8601 form, stored as a timestamp. `when` compares with the time of the request. */
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

/** Useful forms have at most 40 characters, but fractions of a second may be longer. */
const timestampMax = 64;

/** Like 30s, 5m, 2h, or 3d; read as milliseconds. */
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

export function choice<const Word extends string>(words: readonly Word[]) {
  const schema = { type: "string", enum: [...words] };
  return defineField<Word>({ name: "choice", input: schema, output: schema }, (value) => {
    if (typeof value !== "string") return refuse("wrong_type", `must be text, one of ${words.join(", ")}`);
    const word = words.find((known) => known === value);
    return word ? { value: word } : refuse("invalid_choice", `must be one of ${words.join(", ")}`);
  });
}

/** A response has the keys of all objects in alphabetical order. */
export function jsonObject() {
  const schema = { type: "object" };
  return defineField<Record<string, unknown>>({ name: "object", input: schema, output: schema }, (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? { value: { ...value } }
      : refuse("wrong_type", "must be an object"),
  );
}

/** null matches any. */
interface RecordFilter {
  type: string | null;
  id: number | null;
}

/** `Job`, `17`, or `Job:17`. */
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

export function countryCode() {
  return textual({ type: "string", pattern: "^[A-Z]{2}$", examples: ["US"] }, (value) =>
    countryCodes.has(value)
      ? null
      : refuse("invalid_format", "must be an ISO 3166-1 alpha-2 country code in capitals, like US"),
  );
}

/** Integer ids up to 2^53 − 1, separated by commas and white space. The empty text lists none. */
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

export function email(max: number) {
  return textual({ type: "string", maxLength: max, examples: ["office@example.com"] }, (value) => {
    const length = checkLength(value, 0, max);
    if (length) return length;
    return emailPattern.test(value) ? null : refuse("invalid_format", "must be an e-mail address");
  });
}

const emailPattern = /^[^\s@,]+@[^\s@,.]+(?:\.[^\s@,.]+)*$/;

/** Commands read a password from a file. */
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

/** Limits the time for hashing. */
const passwordMax = 1024;

/** Hyphenated, of any version. */
export function uuid() {
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  return textual({ type: "string", format: "uuid" }, (value) =>
    pattern.test(value)
      ? null
      : refuse("invalid_format", "must be a UUID, like 2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a"),
  );
}

export function httpUrl() {
  const schema = { type: "string", maxLength: 2048, pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\\\#]+$" };
  return textual({ ...schema, examples: ["https://example.com/hook"] }, (value) => {
    const problem = findUrlProblem(value);
    return problem ? refuse("invalid_format", problem) : null;
  });
}

export function hexColor() {
  return textual({ type: "string", pattern: "^#[0-9a-fA-F]{6}$", examples: ["#1f6feb"] }, (value) =>
    /^#[0-9a-f]{6}$/i.test(value) ? null : refuse("invalid_format", "must be a color like #1f6feb"),
  );
}

/** Code generators use the first form as the type. */
const booleanInput = {
  description: "true or false; also 0, 1 and these words as text in any case",
  anyOf: [
    { type: "boolean" },
    { type: "integer", enum: [0, 1] },
    { type: "string", pattern: "^(?:[01]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$" },
  ],
};
