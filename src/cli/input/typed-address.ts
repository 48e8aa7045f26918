import type * as z from "zod";
import { type DispatchError, usageFailure } from "../../errors/errors.ts";
import { parseAddress } from "../../geography/parse-address.ts";
import { stateOfZip } from "../../geography/us-states.ts";
import type { JsonObject } from "../../models/json.ts";
import type { Shape } from "../../models/model.ts";
import { unwrap } from "../../models/parse.ts";

export const addressWords: Readonly<Record<string, string>> = {
  line_1: "street",
  locality: "city",
  region: "state",
  postcode: "zip",
};

export const addressExample = "1745 T St SE, Washington DC 20020";

export const isAddressShape = (shape: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(addressWords).every((field) => field in shape);

/** Also for the objects in a list. Empty for other values. */
export function toEntryShape(schema: z.ZodType): Shape {
  const element = schema.type === "array" ? unwrap((schema as z.ZodArray<z.ZodType>).element) : schema;
  return element.type === "object" ? (element as z.ZodObject<Shape>).shape : {};
}

/** Throws a usage error that shows the fields and an example. */
export function readAddressLine(text: string, shape: Shape): JsonObject {
  const parts = parseAddress(text);
  if (!parts)
    throw usageFailure(
      `"${text}" is not an address that the program understands.`,
      `Write it like "${addressExample}", or field by field: ${fieldsInWords}.`,
    );
  const address = Object.fromEntries(Object.entries(parts).filter(([field]) => field in shape));
  lines.set(address, text);
  return address;
}

/** Asks a person for the missing parts of an address. */
export type AskParts = (address: JsonObject, shape: Shape) => Promise<JsonObject>;

/** The error for a line that lacks parts of an address. */
export function refuseLine(line: string, missing: readonly string[]): DispatchError {
  const words = missing.map((field) => `${addressWords[field]} (${field})`).join(", ");
  return usageFailure(`"${line}" has no ${words}.`, `Write the whole address, like "${addressExample}".`);
}

const fieldsInWords = Object.entries(addressWords)
  .map(([field, word]) => `${word} (${field})`)
  .join(", ");

/** The ZIP implies the state. */
export function addState(address: Record<string, unknown>): Record<string, unknown> {
  const { country = "US", postcode, region } = address;
  if (country !== "US" || region !== undefined || typeof postcode !== "string") return address;
  const state = /^\d{5}(?:-\d{4})?$/.test(postcode) ? stateOfZip(postcode) : null;
  return state === null ? address : { ...address, region: state };
}

export const lineOf = (address: object): string | undefined => lines.get(address);

const lines = new WeakMap<object, string>();

export function fromAddressWords(values: Readonly<Record<string, string>>): Record<string, string> {
  const fields = new Map(Object.entries(addressWords).map(([field, word]) => [word, field]));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [fields.get(name) ?? name, value]));
}
