import type { JsonSchema } from "../models/fields.ts";
import { isObject } from "../models/json.ts";

interface SchemaScope {
  defs: Readonly<Record<string, JsonSchema>>;
  /** Whether null has a meaning, as in an update, where it empties a field. */
  keepsNull: boolean;
  /** The optional fields of the schema itself; null lists all. */
  listed: ReadonlySet<string> | null;
}

/**
 * Keeps types, choices, and useful descriptions, and resolves references. Omits bounds and formats, which the operation
 * checks.
 */
export function toToolSchema(schema: JsonSchema, scope: SchemaScope, name = ""): JsonSchema {
  const { description: given, ...form } = resolve(schema, scope.defs);
  const choices = toChoices(form.anyOf);
  const inner: SchemaScope = { ...scope, listed: null };
  const [only] = choices;
  const short =
    choices.length === 1 && only
      ? toToolSchema(only, inner, name)
      : {
          ...(choices.length > 1 && { anyOf: choices.map((choice) => toToolSchema(choice, inner)) }),
          ...(form.type !== undefined && { type: toType(form.type, scope.keepsNull) }),
          ...(Array.isArray(form.enum) && {
            enum: form.enum.filter((one) => one !== null || scope.keepsNull),
          }),
          ...(isObject(form.items) && { items: toToolSchema(form.items, inner) }),
          ...(isObject(form.properties) && toShortObject(form, scope)),
        };
  const description = typeof given === "string" ? given.replace(zoneRemark, "") : "";
  return { ...short, ...(!repeatsName(description, name) && { description }) };
}

/** Removed, because the server's instructions state the zone once. */
const zoneRemark = " (UTC where it names no zone)";

/** Only HTTP needs the other forms of a Boolean. */
function resolve(schema: JsonSchema, defs: SchemaScope["defs"]): JsonSchema {
  const name = typeof schema.$ref === "string" ? schema.$ref.replace("#/$defs/", "") : null;
  if (name === null) return schema;
  const { $ref: _resolved, ...own } = schema;
  return name === "BooleanInput" ? { type: "boolean", ...own } : { ...defs[name], ...own };
}

const toChoices = (anyOf: unknown): JsonSchema[] =>
  Array.isArray(anyOf)
    ? anyOf.filter((part): part is JsonSchema => isObject(part) && part.type !== "null")
    : [];

function toType(type: unknown, keepsNull: boolean): unknown {
  if (!Array.isArray(type) || keepsNull) return type;
  const types = type.filter((one) => one !== "null");
  return types.length === 1 ? types[0] : types;
}

/** The required fields come first. */
function toShortObject({ properties, required }: JsonSchema, scope: SchemaScope): JsonSchema {
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties as object);
  const { listed } = scope;
  const listedNames = [
    ...names.filter((name) => needed.has(name)),
    ...names.filter((name) => !needed.has(name) && (listed === null || listed.has(name))),
  ];
  const fields = properties as Readonly<Record<string, JsonSchema>>;
  return {
    properties: Object.fromEntries(
      listedNames.map((name) => [name, toToolSchema(fields[name] ?? {}, { ...scope, listed: null }, name)]),
    ),
    ...(needed.size > 0 && { required: [...needed] }),
  };
}

/** For example "location identifier" for `location_id`. */
function repeatsName(description: string, name: string): boolean {
  const known = name.split("_");
  return description
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "" && !fillers.has(word))
    .every((word) => known.some((part) => part !== "" && word.startsWith(part)));
}

const fillers: ReadonlySet<string> = new Set([
  ...["a", "an", "the", "of", "for", "to", "is", "it", "this", "with", "by", "in", "and", "or", "s"],
  ...["only", "record", "records", "identifier", "default", "number"],
]);
