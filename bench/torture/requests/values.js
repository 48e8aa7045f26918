import fc from "fast-check";
import { resolve } from "./documents.js";

/**
 * Generates values that fit a JSON Schema of the document. `ids` has records that the caller might name: its own, and
 * another tenant's. Texts sometimes contain the caller's marker.
 */
export function toValue(context, schema, name = "") {
  const { $ref, anyOf, enum: choices, type } = schema;
  if ($ref) return toValue(context, resolve(context.document, schema), name);
  if (anyOf) return fc.oneof(...anyOf.map((option) => toValue(context, option, name)));
  if (choices) return fc.constantFrom(...choices);
  if (isId(context, name, schema)) return toId(context, name);
  const types = [type ?? "string"].flat();
  if (types.includes("boolean")) return fc.constantFrom(true, false, 0, 1, "true", "FALSE", ...nullIf(types));
  return fc.oneof(...types.map((one) => toValueOfType(context, { ...schema, type: one }, name)));
}

const nullIf = (types) => (types.includes("null") ? [null] : []);

function isId({ ids }, name, { type }) {
  return name in ids && [type].flat().some((one) => one === "integer" || one === "string");
}

/** Mostly the caller's own id; sometimes another tenant's, an unknown one, or an invalid one. */
export function toId({ foreignIds, ids }, name) {
  const own = fc.constant(ids[name]);
  const isText = typeof ids[name] === "string";
  const unknown = fc.constant(isText ? "00000000-0000-4000-8000-0000000000ff" : 999_999);
  const hostile = fc.constantFrom(0, -1, 2 ** 53, 2 ** 31, 1.5);
  // Keep away from small ids of users and tokens: requests must not deactivate the callers.
  const near = ["user_id", "token_id"].includes(name) ? unknown : fc.integer({ min: 1, max: 60 });
  return fc.oneof(
    { weight: 14, arbitrary: own },
    { weight: 3, arbitrary: fc.constant(foreignIds[name]) },
    { weight: 2, arbitrary: isText ? unknown : near },
    { weight: 1, arbitrary: unknown },
    { weight: 1, arbitrary: isText ? unknown : hostile },
  );
}

function toValueOfType(context, schema, name) {
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer(toBounds(schema, 2 ** 31));
    case "number":
      return fc.double({ ...toBounds(schema, 1e6), noNaN: true, noDefaultInfinity: true });
    case "array":
      return toList(context, schema, name);
    case "object":
      return toObject(context, schema);
    default:
      return toText(context, schema);
  }
}

const toBounds = ({ minimum, maximum, exclusiveMaximum }, widest) => ({
  min: minimum ?? -widest,
  max: Math.max(
    maximum ?? (exclusiveMaximum === undefined ? widest : exclusiveMaximum - 1),
    minimum ?? -widest,
  ),
});

function toList(context, { items, minItems = 0, maxItems = 4, uniqueItems }, name) {
  const options = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
  const value = toValue(context, items ?? {}, name.replace(/s$/, ""));
  return uniqueItems
    ? fc.uniqueArray(value, { ...options, comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b) })
    : fc.array(value, options);
}

/** An object with the required fields, and a few of the others. */
function toObject(context, { properties = {}, required = [] }) {
  const fields = Object.entries(properties);
  const models = Object.fromEntries(
    fields.map(([name, schema]) => {
      const value = toValue(context, schema, name);
      return [name, required.includes(name) ? value : fc.option(value, { nil: absent, freq: 1 })];
    }),
  );
  return fc.tuple(fc.record(models), fc.nat()).map(([made, salt]) => {
    // With all fields at once, nearly every body would be refused because of one of them.
    const isKept = (index) => required.length > fields.length / 2 || (salt + index * 7) % 5 < 1 + (salt % 3);
    return Object.fromEntries(
      Object.entries(made).filter(
        ([name, value], index) => value !== absent && (required.includes(name) || isKept(index)),
      ),
    );
  });
}

const absent = Symbol("absent");

const dates = [
  "2026-11-20",
  "2026-11-21T08:30:00Z",
  "2025-01-01T00:00:00.000001",
  "2026-W47-6",
  "2031-02-03T04:05+02",
];

function toText(context, { contentEncoding, examples = [], format, maxLength = 64, minLength = 0, pattern }) {
  if (format === "uuid") return fc.uuid();
  if (contentEncoding === "base64")
    return fc.constantFrom("c2VjcmV0LWtleS0xMjM0NTY=", " c2VjcmV0LWtleS0xMjM0NTY= ");
  if (String(examples[0]).startsWith("2026-")) return fc.constantFrom(...dates);
  // Requests must not make the server call other machines.
  if (pattern?.includes("[Hh][Tt][Tt][Pp]"))
    return fc.constantFrom("http://127.0.0.1:9/a", "https://127.0.0.1:9/b?c=d");
  if (pattern)
    return fc.oneof(fc.stringMatching(new RegExp(pattern.replaceAll(/\?<\w+>/g, ""))), fc.constant("1"));
  const marked = context.marker.slice(0, maxLength).padEnd(minLength, "x");
  const text = fc.string({
    minLength,
    maxLength: Math.min(maxLength, Math.max(minLength, 40)),
    unit: "grapheme",
  });
  return fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 4, arbitrary: fc.constant(marked) },
    { weight: 1, arbitrary: fc.constant("é".repeat(maxLength)) },
    ...examples.map((example) => ({ weight: 2, arbitrary: fc.constant(example) })),
  );
}
