import { nearField } from "../near-words.ts";
import { isRecord, type JsonRecord, type JsonValue } from "./answer.ts";
import type { ErrorView } from "./error-text.ts";

/** Shows the nearest known name for each unknown one, and all known names. Exit code 2. */
export class UnknownFieldError extends Error implements ErrorView {
  override name = "UnknownFieldError";
  readonly title: string;
  readonly errors: ErrorView["errors"];
  readonly hint: string;
  readonly requestId = null;

  constructor(unknown: readonly string[], known: readonly string[]) {
    const title = unknown.length > 0 ? "Unknown fields in --fields" : "No fields in --fields";
    super(title);
    this.title = title;
    this.errors = unknown.map((name) => ({
      code: "unknown_field",
      detail: describeUnknown(name, known),
      field: null,
    }));
    this.hint = `Choose from ${summarize(known).join(", ")}.`;
  }
}

/** A long list shows inner fields by their parent: `customer.…`. */
function summarize(known: readonly string[]): string[] {
  if (known.length <= 60) return [...known];
  const parents = new Set(known.filter((name) => name.includes(".")).map((name) => name.split(".", 1)[0]));
  return known
    .filter((name) => !name.includes("."))
    .flatMap((name) => (parents.has(name) ? [name, `${name}.…`] : [name]));
}

/** A name is a field, or a parent such as `customer`, which means all its fields. Throws UnknownFieldError. */
export function parseFields(text: string, knownFields: readonly string[]): string[] {
  const known = withParents(knownFields);
  // Accepts the words of a heading: `phone number`.
  const toName = (words: string) => (known.includes(words) ? words : words.replaceAll(" ", "_"));
  const names = [...new Set(text.split(",").map((name) => toName(name.trim())))].filter(
    (name) => name !== "",
  );
  const unknown = names.filter((name) => !known.includes(name));
  if (names.length === 0 || unknown.length > 0) throw new UnknownFieldError(unknown, known);
  return names.filter((name) => !names.some((parent) => isWithin(name, parent)));
}

/** A parent becomes the scalars and arrays inside it. */
export function toLeafFields(fields: readonly string[], knownFields: readonly string[]): string[] {
  const leaves = knownFields.filter((field) => !knownFields.some((other) => isWithin(other, field)));
  const columns = fields.flatMap((field) => {
    const within = leaves.filter((leaf) => isWithin(leaf, field));
    return within.length > 0 ? within : [field];
  });
  return [...new Set(columns)];
}

export function valueAt(record: JsonRecord, field: string): JsonValue {
  let value: JsonValue = record;
  for (const name of field.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return null;
    value = value[name] ?? null;
  }
  return value;
}

function describeUnknown(name: string, known: readonly string[]): string {
  // `phone` suggests phone_number.
  const nearest = nearField(name, known) ?? known.find((field) => field.split(/[._]/).includes(name));
  return `no field ${JSON.stringify(name)}${nearest ? `; did you mean ${nearest}?` : ""}`;
}

function withParents(fields: readonly string[]): string[] {
  const all = fields.flatMap((field) => {
    const names = field.split(".");
    return names.map((_, index) => names.slice(0, index + 1).join("."));
  });
  return [...new Set(all)];
}

function isWithin(field: string, parent: string): boolean {
  return field.startsWith(`${parent}.`);
}
