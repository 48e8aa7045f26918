import type * as z from "zod";
import { type ErrorCode, errorTable, type Violation } from "../errors/errors.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { fieldKinds } from "./fields.ts";
import { toZod } from "./lazy-schema.ts";
import type { Shape } from "./model.ts";
import { parseTimestamp } from "./timestamps.ts";

export type Parsed<T> = { value: T; violations: [] } | { value: null; violations: Violation[] };

export interface InputNaming {
  /** Begins each path, like `CreateCustomerModel.`; empty for parameters. */
  prefix: string;
  unknownCode: "unknown_field" | "unknown_parameter";
}

/** Reports all violations, in the order of the model's fields. `now` decides past and future. */
export function parseModel<T>(
  model: z.ZodType<T>,
  value: unknown,
  now: Timestamp,
  naming: InputNaming,
): Parsed<T> {
  const lists = findListViolations(model, value, [], naming);
  const checked = lists.reduce(
    (rest, { path, isTooLong }) => (isTooLong ? emptyAt(rest, path) : rest),
    value,
  );
  const result = toZod(model).safeParse(checked, { reportInput: true });
  const issues = result.success ? [] : result.error.issues.flatMap((issue) => toViolations(issue, naming));
  const violations = [
    ...issues,
    ...lists.map(({ violation }) => violation),
    ...findMistimed(model, checked, now, [], naming),
  ];
  if (result.success && violations.length === 0) return { value: result.data, violations: [] };
  return { value: null, violations };
}

function emptyAt(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return [];
  const object = value as Record<PropertyKey, unknown>; // findListViolations found the list on this path.
  return { ...object, [step]: emptyAt(object[step], rest) };
}

interface ListViolation {
  violation: Violation;
  path: readonly PropertyKey[];
  /** Entries of a list that is too long are not checked, so a refusal costs the same for any length. */
  isTooLong: boolean;
}

/** Reads the input, so that list violations and inner violations are reported together. */
function findListViolations(
  model: z.ZodType,
  value: unknown,
  path: PropertyKey[],
  naming: InputNaming,
): ListViolation[] {
  const schema = unwrap(model);
  if (schema.type === "array" && Array.isArray(value)) return judgeList(schema, value, path, naming);
  if (schema.type !== "object" || typeof value !== "object" || value === null) return [];
  return findListFields(schema as z.ZodObject<Shape>).flatMap(([name, field]) =>
    Object.hasOwn(value, name)
      ? findListViolations(field, (value as Record<string, unknown>)[name], [...path, name], naming)
      : [],
  );
}

const findListFields = fieldsWith((schema) => schema.type === "array");

const findTimedFields = fieldsWith((schema) => fieldKinds.get(schema)?.when !== undefined);

/** Finds fields of a kind, or fields that contain them, once per model. This halves the time to parse a job. */
function fieldsWith(isOfKind: (schema: z.ZodType) => boolean) {
  const known = new WeakMap<z.ZodType, [string, z.ZodType][]>();
  const hasSome = (field: z.ZodType): boolean => {
    const inner = unwrap(field);
    if (isOfKind(inner)) return true;
    if (inner.type === "array") return hasSome((inner as z.ZodArray<z.ZodType>).element);
    return inner.type === "object" && find(inner as z.ZodObject<Shape>).length > 0;
  };
  const find = (model: z.ZodObject<Shape>): readonly [string, z.ZodType][] => {
    const fields = known.get(model) ?? Object.entries(model.shape).filter(([, field]) => hasSome(field));
    known.set(model, fields);
    return fields;
  };
  return find;
}

function judgeList(
  schema: z.ZodType,
  entries: unknown[],
  path: PropertyKey[],
  naming: InputNaming,
): ListViolation[] {
  const {
    minItems: min = 0,
    maxItems: max = Number.POSITIVE_INFINITY,
    uniqueItems: isDistinct,
  } = toListRules(schema);
  const tell = (code: ErrorCode, message: string): ListViolation => {
    return { violation: toViolation(code, path, message, naming), path, isTooLong: code === "too_many" };
  };
  if (entries.length > max)
    return [tell("too_many", `must have at most ${max} entries, not ${entries.length}`)];
  const found: ListViolation[] = [];
  if (entries.length < min)
    found.push(tell("too_few", `must have at least ${min} ${min === 1 ? "entry" : "entries"}`));
  if (isDistinct && new Set(entries).size < entries.length)
    found.push(tell("repeated_value", "must not repeat a value"));
  return found;
}

interface ListKeywords {
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

function toListRules(schema: z.ZodType): ListKeywords {
  // list() writes these keywords into the metadata; the OpenAPI document reads them too.
  return (schema.meta() ?? {}) as ListKeywords;
}

function toViolations(issue: z.core.$ZodIssue, naming: InputNaming): Violation[] {
  const path = [...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) =>
      toViolation(naming.unknownCode, [...path, key], "is not accepted", naming),
    );
  }
  if (issue.code === "custom")
    return [toViolation(toErrorCode(issue.params?.code), path, issue.message, naming)];
  if (issue.input === undefined || issue.input === null) {
    return [toViolation("missing_value", path, "is required", naming)];
  }
  const expected =
    issue.code === "invalid_type" && issue.expected === "object" ? "must be an object" : issue.message;
  return [toViolation("wrong_type", path, expected, naming)];
}

function toErrorCode(code: unknown): ErrorCode {
  if (typeof code === "string" && code in errorTable) return code as ErrorCode;
  throw new Error(`A field refuses with the code ${String(code)}, which the error table does not hold.`);
}

function toViolation(
  code: ErrorCode,
  path: readonly PropertyKey[],
  message: string,
  naming: InputNaming,
): Violation {
  const field = toFieldName(path, naming);
  return { code, detail: `${field} ${message}.`, field };
}

function toFieldName(path: readonly PropertyKey[], naming: InputNaming): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return steps === "" ? naming.prefix.replace(/\.$/, "") : naming.prefix + steps.replace(/^\./, "");
}

/** Reads the input, so that wrong dates are reported with other violations. */
function findMistimed(
  schema: z.ZodType,
  value: unknown,
  now: Timestamp,
  path: PropertyKey[],
  naming: InputNaming,
): Violation[] {
  const inner = unwrap(schema);
  const when = fieldKinds.get(inner)?.when;
  if (when && typeof value === "string") return judgeMoment(value, when, now, path, naming);
  if (inner.type === "array" && Array.isArray(value)) {
    const { element } = inner as z.ZodArray<z.ZodType>;
    return value.flatMap((entry, index) => findMistimed(element, entry, now, [...path, index], naming));
  }
  if (inner.type === "object" && typeof value === "object" && value !== null) {
    return findTimedFields(inner as z.ZodObject<Shape>).flatMap(([name, field]) =>
      Object.hasOwn(value, name)
        ? findMistimed(field, (value as Record<string, unknown>)[name], now, [...path, name], naming)
        : [],
    );
  }
  return [];
}

function judgeMoment(
  text: string,
  when: "past" | "future",
  now: Timestamp,
  path: PropertyKey[],
  naming: InputNaming,
): Violation[] {
  const moment = parseTimestamp(text);
  if (!moment) return [];
  if (when === "past" && moment > now)
    return [toViolation("not_past", path, "must not be later than now", naming)];
  if (when === "future" && moment <= now)
    return [toViolation("not_future", path, "must be later than now", naming)];
  return [];
}

export function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner.type === "optional" || inner.type === "nullable") {
    inner = (inner as z.ZodOptional<z.ZodType>).unwrap();
  }
  return inner;
}

/** Converts texts of parameters to JSON values. Other texts stay, and the model refuses them: `1.0`, `1e3`. */
export function fromText(shape: Shape, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      Object.hasOwn(shape, name) ? toValue(shape[name], text) : text,
    ]),
  );
}

function toValue(field: z.ZodType | undefined, text: string): unknown {
  const kind = field && fieldKinds.get(unwrap(field))?.name;
  if (kind === "integer" && integerText.test(text)) return Number(text);
  if (kind === "number" && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  return text;
}

/** As in JSON: leading zeros would give a record a second name. */
export const integerText = /^(?:0|-?[1-9]\d*)$/;
