import * as z from "zod";
import { type FieldKind, fieldKinds, type JsonSchema } from "./fields.ts";
import { toZod } from "./lazy-schema.ts";
import { mayBeAbsent } from "./model.ts";

export type ModelSchema = JsonSchema & { $defs: Record<string, JsonSchema> };

/** JSON Schema 2020-12. Responses list all fields, sorted. Omits metadata for the command line. */
export function toJsonSchema(model: z.ZodType, io: "input" | "output"): ModelSchema {
  const shared: Record<string, JsonSchema> = {};
  const {
    $schema: _dialect,
    $defs = {},
    ...root
  } = z.toJSONSchema(toZod(model), {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // For zod a field accepts any value; its kind knows the accepted ones.
      const kind = fieldKinds.get(zodSchema);
      if (kind) Object.assign(jsonSchema, toKindSchema(kind, io));
      if (kind?.sharedAs && io === "input") shared[kind.sharedAs] = kind.input;
      if (zodSchema instanceof z.ZodObject && jsonSchema.$ref === undefined)
        Object.assign(jsonSchema, toRequired(zodSchema, io));
    },
  });
  const finish = (schema: JsonSchema) => {
    const joined = mapSchema(schema, (part) => {
      const plain = toTypeList(withoutHints(part));
      return io === "output" ? toAnswerForm(plain) : plain;
    });
    // The description of a field is complete only after joining.
    return mapSchema(joined, tellZone);
  };
  const defs = Object.entries($defs).map(([name, schema]) => [name, finish(schema)]);
  return { ...finish(root), $defs: { ...Object.fromEntries(defs), ...shared } };
}

/** Innermost first, on a copy. */
export function mapSchema(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const inside = (part: unknown) => (isObject(part) ? mapSchema(part, change) : part);
  const { anyOf, items, properties } = schema;
  return change({
    ...schema,
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inside) }),
    ...(isObject(items) && { items: inside(items) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inside(part)])),
    }),
  });
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** zod does not know that fields refuse to be missing: all are required except those that may be absent. */
function toRequired({ shape }: z.ZodObject, io: "input" | "output"): JsonSchema {
  const isRequired = (field: unknown) =>
    io === "input" ? !(field instanceof z.ZodOptional) : !(field instanceof z.ZodType && mayBeAbsent(field));
  const required = Object.keys(shape).filter((name) => isRequired(shape[name]));
  return required.length === 0 ? {} : { required };
}

/** No JSON Schema keyword distinguishes past from future, so `x-when` does. */
function toKindSchema(kind: FieldKind, io: "input" | "output"): JsonSchema {
  const moment = kind.name === "timestamp" && { [momentHint]: io };
  if (io === "output") return { ...kind.output, ...moment };
  if (kind.sharedAs !== undefined) return { $ref: `#/$defs/${kind.sharedAs}` };
  return { ...kind.input, ...moment, ...(kind.when && { "x-when": kind.when }) };
}

function withoutHints({ flag: _commandOnly, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** A nullable value becomes `type: [X, "null"]`. A reference has no type, so it stays a choice that ends with null. */
function toTypeList(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const [value, nothing]: unknown[] = anyOf;
  if (anyOf.length !== 2 || !isObject(value) || !isObject(nothing) || nothing.type !== "null") return schema;
  // Nullable twice is nullable.
  if (Array.isArray(value.anyOf)) return { ...value, ...rest, anyOf: withNull(value.anyOf, isNull, nothing) };
  if (value.type === undefined) return toNullableRef(value, nothing, rest);
  return {
    ...value,
    ...rest,
    type: withNull([value.type].flat(), (type) => type === "null", "null"),
    ...(Array.isArray(value.enum) && { enum: withNull(value.enum, (choice) => choice === null, null) }),
  };
}

/** The description belongs to the field, not to one of its forms. */
function toNullableRef(
  { description, ...value }: JsonSchema,
  nothing: JsonSchema,
  rest: JsonSchema,
): JsonSchema {
  return { ...(description !== undefined && { description }), ...rest, anyOf: [value, nothing] };
}

const isNull = (part: unknown) => isObject(part) && part.type === "null";

function withNull(parts: unknown[], isThere: (part: unknown) => boolean, nothing: unknown): unknown[] {
  return parts.some(isThere) ? parts : [...parts, nothing];
}

/** Marks timestamps until their description is known. */
const momentHint = "moment";

function tellZone(schema: JsonSchema): JsonSchema {
  const { [momentHint]: io, ...rest } = schema;
  if (io === undefined) return schema;
  const zone = io === "output" ? "UTC" : "UTC where it names no zone";
  return { ...rest, description: `${rest.description ?? "date and time"} (${zone})` };
}

function toAnswerForm(schema: JsonSchema): JsonSchema {
  const { additionalProperties: _open, properties, required, ...rest } = schema;
  if (!isObject(properties)) return schema;
  const names = Object.keys(properties).sort();
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    ...(Array.isArray(required) && { required: required.toSorted() }),
  };
}
