import * as z from "zod";
import { type FieldKind, fieldKinds, type JsonSchema } from "./fields.ts";
import { toZod } from "./lazy-schema.ts";

/** A JSON Schema with those it refers to, by the names of their models. */
export type ModelSchema = JsonSchema & { $defs: Record<string, JsonSchema> };

/**
 * The JSON Schema (2020-12) of a model as it is sent ("input") or answered ("output"). Every named model stands in
 * `$defs` and is referred to there, the given one too; one without a name is the schema itself. Answers list all their
 * fields, sorted (OP-3), and are open to new ones; what only the command line reads of `.meta()` is left out.
 */
export function toJsonSchema(model: z.ZodType, io: "input" | "output"): ModelSchema {
  const {
    $schema: _dialect,
    $defs = {},
    ...root
  } = z.toJSONSchema(toZod(model), {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // To zod a field is any value at all: what it takes is known to its kind.
      const kind = fieldKinds.get(zodSchema);
      if (kind) Object.assign(jsonSchema, toKindSchema(kind, io));
      if (zodSchema instanceof z.ZodObject) Object.assign(jsonSchema, toRequired(zodSchema));
    },
  });
  const finish = (schema: JsonSchema) =>
    mapSchema(schema, (part) => {
      const plain = toTypeList(withoutHints(part));
      return io === "output" ? toAnswerForm(plain) : plain;
    });
  const defs = Object.entries($defs).map(([name, schema]) => [name, finish(schema)]);
  return { ...finish(root), $defs: Object.fromEntries(defs) };
}

/** A copy of a schema with `change` applied to it and to every schema inside it, innermost first. */
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

/** Nor does zod know that a field refuses to be missing: all are required but the optional ones. */
function toRequired({ shape }: z.ZodObject): JsonSchema {
  const required = Object.keys(shape).filter((name) => !(shape[name] instanceof z.ZodOptional));
  return required.length === 0 ? {} : { required };
}

/** No keyword tells past from future; `x-when` does (OP-6). */
function toKindSchema(kind: FieldKind, io: "input" | "output"): JsonSchema {
  if (io === "output") return kind.output;
  return { ...kind.input, ...(kind.when && { "x-when": kind.when }) };
}

function withoutHints({ flag: _commandOnly, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** A nullable value as `type: [X, "null"]`. What has no type of its own, such as a reference, stays a choice of two. */
function toTypeList(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const [value, nothing]: unknown[] = anyOf;
  if (anyOf.length !== 2 || !isObject(value) || !isObject(nothing)) return schema;
  if (value.type === undefined || nothing.type !== "null") return schema;
  return {
    ...value,
    ...rest,
    type: [value.type, "null"].flat(),
    ...(Array.isArray(value.enum) && { enum: [...value.enum, null] }),
  };
}

function toAnswerForm(schema: JsonSchema): JsonSchema {
  const { additionalProperties: _open, properties, required: _someOfThem, ...rest } = schema;
  if (!isObject(properties)) return schema;
  const names = Object.keys(properties).sort();
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    required: names,
  };
}
