import type { JsonSchema } from "../models/fields.ts";
import { toJsonSchema } from "../models/json-schema.ts";
import { type Shape, unnamedModel } from "../models/model.ts";
import { relink } from "./model-schemas.ts";

export interface Parameter {
  name: string;
  in: "header" | "path" | "query";
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

/** An id in the path needs no description. */
export function toParameters(
  shape: Shape,
  place: "path" | "query",
  examples: Readonly<Record<string, string>> = {},
): Parameter[] {
  const { properties, required } = toJsonSchema(unnamedModel(shape), "input");
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, field]) => {
    const example = examples[name];
    const { description = place === "path" ? describeId(name) : undefined, ...schema } = withoutNull(field);
    return {
      name,
      in: place,
      required: names.includes(name),
      ...(typeof description === "string" && { description }),
      schema: relink(schema, (shared) => shared),
      ...(example !== undefined && { example: toTyped(example, schema) }),
    };
  });
}

function describeId(name: string): string {
  return `${name.replace(/_id$/, "").replaceAll("_", " ")} identifier`;
}

/** A query cannot express null; clients omit such parameters. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type, enum: choices, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const forms = anyOf.filter(({ type }: JsonSchema) => type !== "null");
    return forms.length === 1 ? { ...forms[0], ...rest } : { anyOf: forms, ...rest };
  }
  if (!Array.isArray(type)) return schema;
  const types = type.filter((name) => name !== "null");
  return {
    ...schema,
    type: types.length === 1 ? types[0] : types,
    ...(Array.isArray(choices) && { enum: choices.filter((choice) => choice !== null) }),
  };
}

/** A query's text as a typed value, from which tools derive examples. */
function toTyped(text: string, { $ref, anyOf, type }: JsonSchema): unknown {
  const first = Array.isArray(anyOf) ? anyOf[0]?.type : type;
  if (first === "integer" || first === "number") return text === "" ? text : Number(text);
  // Only Booleans use references.
  return $ref !== undefined && /^(?:true|false)$/.test(text) ? text === "true" : text;
}
