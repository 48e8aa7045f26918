import type { JsonSchema } from "../../models/fields.ts";
import { fromInlineMarkdown, type Html, html, showTable } from "./html.ts";
import { type Docs, linkTo } from "./layout.ts";

interface FieldRow {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  description?: string | undefined;
}

export function showSchema(docs: Docs, schema: JsonSchema, label: string): Html {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  if (!properties) return html`<p>${toType(docs, schema)} ${toBounds(schema)}</p>`;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(properties);
  // Most responses require all fields, so the table does not repeat that.
  const areAllRequired = names.length > 3 && names.every((name) => required.includes(name));
  const rows = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: !areAllRequired && required.includes(name),
    description: textOrUndefined(field.description),
  }));
  return html`${areAllRequired && html`<p>Every field is required.</p>`}${showFields(docs, requiredFirst(rows), label)}`;
}

export const requiredFirst = (rows: readonly FieldRow[]): FieldRow[] =>
  rows.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));

export function showFields(docs: Docs, rows: readonly FieldRow[], label: string): Html {
  return showTable(
    label,
    ["Name", "Type", "Meaning"],
    rows.map(({ description, isRequired, name, schema }) => [
      html`<code>${name}</code>${isRequired && html` <span class="required">required</span>`}`,
      toType(docs, schema),
      html`${description !== undefined && fromInlineMarkdown(description)} <span class="bounds">${toBounds(schema)}</span>`,
    ]),
  );
}

export function toType(docs: Docs, schema: JsonSchema): Html {
  const { $ref, anyOf, enum: choices, format, items, type } = schema;
  if (typeof $ref === "string") {
    const name = $ref.replace(/^.*\//, "");
    return html`<a href="${linkTo(docs, `/models/${name}`)}">${name}</a>`;
  }
  if (Array.isArray(anyOf)) {
    const types = anyOf.map((part: JsonSchema) => toType(docs, part));
    return html`${types.map((part, index) => html`${index > 0 && " or "}${part}`)}`;
  }
  if (items !== undefined)
    return html`list of ${toType(docs, items as JsonSchema)}${isNullable(type) && " or null"}`;
  if (Array.isArray(choices))
    return html`${choices.map((choice, index) => html`${index > 0 && ", "}<code>${String(choice)}</code>`)}`;
  if ("const" in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const names = Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
  return html`${names}${typeof format === "string" && ` (${format})`}`;
}

const isNullable = (type: unknown) => Array.isArray(type) && type.includes("null");

function toBounds(schema: JsonSchema): string {
  const rules = Object.entries(ruleTexts).flatMap(([key, toRule]) => {
    const value = schema[key];
    return value === undefined ? [] : [toRule(value)];
  });
  return rules.filter((rule) => rule !== "").join(" · ");
}

const ruleTexts: Readonly<Record<string, (value: unknown) => string>> = {
  minLength: (value) => `at least ${countOf(value, "character")}`,
  maxLength: (value) => `at most ${countOf(value, "character")}`,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  minItems: (value) => `at least ${value} ${value === 1 ? "entry" : "entries"}`,
  maxItems: (value) => `at most ${value} ${value === 1 ? "entry" : "entries"}`,
  minProperties: (value) => `at least ${countOf(value, "field")}`,
  uniqueItems: () => "each once",
  default: (value) => `default ${JSON.stringify(value)}`,
  examples: (value) => (Array.isArray(value) ? `like ${JSON.stringify(value[0])}` : ""),
  "x-when": (value) => `in the ${value}`,
  "x-extension": () => "extension",
};

const countOf = (value: unknown, noun: string) => `${value} ${noun}${value === 1 ? "" : "s"}`;

const textOrUndefined = (value: unknown) => (typeof value === "string" ? value : undefined);

/** `tabindex` lets keyboards scroll the box. */
export function showJson(value: unknown, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

export interface MediaEntry {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

export function exampleOf({ example, examples }: MediaEntry): unknown {
  if (example !== undefined) return example;
  return Object.values(examples ?? {})[0]?.value;
}
