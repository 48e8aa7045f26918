import type { JsonSchema } from "../../models/fields.ts";

export type NameOf = (component: string) => string;

export interface TypeStyle {
  nameOf: NameOf;
  /** In requests, values may be frozen and optional fields undefined. */
  isInput: boolean;
  /** The words that requests may have, for models of answers: a list of other words may grow. */
  sentWords?: ReadonlySet<unknown>;
}

export function toType(schema: JsonSchema, style: TypeStyle): string {
  const alternatives = [...new Set(alternativesOf(schema, style))];
  // Other spellings of a Boolean are for programs without Booleans.
  const plain = alternatives.includes("boolean")
    ? alternatives.filter((type) => type === "boolean" || type === "null")
    : alternatives;
  return plain.join(" | ");
}

function alternativesOf(schema: JsonSchema, style: TypeStyle): string[] {
  const { anyOf, const: constant, enum: words, oneOf, $ref, type } = schema;
  if (typeof $ref === "string") return [style.nameOf(componentOf($ref))];
  if (constant !== undefined) return [JSON.stringify(constant)];
  if (Array.isArray(words)) return toWords(words, style);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.flatMap((choice) => alternativesOf(choice, style));
  return [type ?? "unknown"].flat().map((name) => toNamedType(String(name), schema, style));
}

/** A single word tells alternatives apart, and a word that requests may have must fit them. Others are open. */
function toWords(words: readonly unknown[], { sentWords }: TypeStyle): string[] {
  const isOpen = sentWords && words.length > 1 && !words.every((word) => sentWords.has(word));
  return [...words.map((word) => JSON.stringify(word)), ...(isOpen ? ["(string & {})"] : [])];
}

export const componentOf = (ref: string) => ref.split("/").at(-1) ?? ref;

function toNamedType(name: string, schema: JsonSchema, style: TypeStyle): string {
  const { items, properties } = schema;
  if (name === "array") return toList(isSchema(items) ? toType(items, style) : "unknown", style);
  if (name === "object")
    return isSchema(properties) ? toFields(schema, style) : `Readonly<Record<string, unknown>>`;
  return (
    { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" }[name] ??
    "unknown"
  );
}

const toList = (entry: string, { isInput }: TypeStyle) => `${isInput ? "readonly " : ""}(${entry})[]`;

export function toFields({ properties, required }: JsonSchema, style: TypeStyle): string {
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(isSchema(properties) ? properties : {}).map(([name, field]) => {
    const schema = isSchema(field) ? field : {};
    const isOptional = !names.includes(name);
    const orUndefined = isOptional && style.isInput ? " | undefined" : "";
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${toComment(schema.description)}${key}${isOptional ? "?" : ""}: ${toType(schema, style)}${orUndefined};`;
  });
  return `{\n${fields.join("\n")}\n}`;
}

export function toComment(text: unknown): string {
  if (typeof text !== "string" || text === "") return "";
  return `/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", "\n * ")} */\n`;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
