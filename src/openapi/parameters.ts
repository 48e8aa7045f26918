import type { JsonSchema } from "../models/fields.ts";
import { toJsonSchema } from "../models/json-schema.ts";
import { type Shape, unnamedModel } from "../models/model.ts";
import { relink } from "./model-schemas.ts";

/** A parameter of a request. */
export interface Parameter {
  name: string;
  in: "header" | "path" | "query";
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

/** The parameters that a shape declares, in its order. An id in the path need not be described. */
export function toParameters(shape: Shape, place: "path" | "query"): Parameter[] {
  const { properties, required } = toJsonSchema(unnamedModel(shape), "input");
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, field]) => {
    const { description = place === "path" ? describeId(name) : undefined, ...schema } = withoutNull(field);
    return {
      name,
      in: place,
      required: names.includes(name),
      ...(typeof description === "string" && { description }),
      schema: relink(schema, (shared) => shared),
    };
  });
}

/** `truck_id` is a truck identifier. */
function describeId(name: string): string {
  return `${name.replace(/_id$/, "").replaceAll("_", " ")} identifier`;
}

/** A parameter that is not given is left out: there is no text that stands for null. */
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
