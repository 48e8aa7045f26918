import { failure } from "../errors/errors.ts";
import { didYouMean } from "../errors/nearest.ts";
import { isObject } from "./json.ts";

/** The names in `id,customer.name`. Throws invalid_choice. */
export function parseFieldNames(text: string, known: readonly string[]): string[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const detail = `The records have no field ${JSON.stringify(unknown.slice(0, 100))}.${didYouMean(unknown, known)}`;
  throw failure("invalid_choice", detail, "fields");
}

/** `customer.name` stays inside `customer`. A missing field becomes null. */
export function pickFields<V>(
  record: Readonly<Record<string, V>>,
  fields: readonly string[],
): Record<string, V | null> {
  const names = [...new Set(fields.map((field) => field.split(".", 1)[0] ?? ""))];
  return Object.fromEntries(
    names.map((name) => {
      const value = record[name] ?? null;
      if (fields.includes(name) || !isObject(value) || Array.isArray(value)) return [name, value];
      const inner = fields.filter((field) => field.startsWith(`${name}.`));
      // The values inside a JSON object are JSON values too.
      const picked = pickFields(
        value as Record<string, V>,
        inner.map((field) => field.slice(name.length + 1)),
      );
      return [name, picked as V];
    }),
  );
}
