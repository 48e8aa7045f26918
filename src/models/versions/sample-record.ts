import type * as z from "zod";
import { fieldKinds } from "../fields.ts";
import type { Shape } from "../model.ts";
import { unwrap } from "../parse.ts";
import { changes } from "./index.ts";

export const sampleMoment = "2026-11-21T08:30:00.000000";

/** Fields of a job's customer that only versions before 2021/11/04 show. */
const carried = { customer_created_on: sampleMoment, customer_last_updated_on: sampleMoment };

/** Has every field that conversions to older versions read. */
export function sampleRecord(model: z.ZodObject<Shape>): Record<string, unknown> {
  return sampleOf(model) as Record<string, unknown>;
}

export const sampleId = 17;

export function sampleOf(schema: z.ZodType, name = ""): unknown {
  const inner = unwrap(schema);
  if (inner.type === "array") return [sampleOf((inner as z.ZodArray<z.ZodType>).element, name)];
  if (inner.type === "object") return sampleObject(inner as z.ZodObject<Shape>);
  const kind = fieldKinds.get(inner);
  if (!kind) return null;
  const rules: Rules = kind.output;
  switch (kind.name) {
    case "boolean":
      return false;
    case "integer":
      return sampleNumber(name.endsWith("id") ? sampleId : 1, rules);
    case "number":
      return numbers[name] ?? sampleNumber(1.5, rules);
    case "timestamp":
      return sampleMoment;
    case "object":
      return {};
    default:
      return sampleText(name, rules);
  }
}

interface Rules {
  enum?: readonly string[];
  examples?: readonly unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

function sampleNumber(wanted: number, { minimum = wanted, maximum = wanted }: Rules): number {
  return Math.min(Math.max(wanted, minimum), maximum);
}

function sampleText(
  name: string,
  { enum: words, examples, format, minLength = 0, maxLength }: Rules,
): unknown {
  if (words) return words[0];
  if (format === "uuid") return sampleUuid;
  return texts[name] ?? examples?.[0] ?? name.replaceAll("_", " ").slice(0, maxLength).padEnd(minLength, ".");
}

export const sampleUuid = "6f0c9d1e-8a55-4c39-9d59-3f2a1f6c7b10";

/** For fields whose names do not describe them. */
const texts: Readonly<Record<string, string>> = {
  fax: "202-555-0199",
  line_1: "1745 T Street SE",
  locality: "Washington",
  number: "202-555-0100",
  postcode: "20020",
  region: "DC",
};

const numbers: Readonly<Record<string, number>> = { latitude: 38.867033, longitude: -76.979235 };

function sampleObject(model: z.ZodObject<Shape>): Record<string, unknown> {
  const id = model.meta()?.id;
  const older = changes.filter((change) => change.kind === "model").filter((change) => change.model === id);
  const samples = [...older.map(({ before }) => before), model].map(({ shape }) =>
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sampleOf(field, name)])),
  );
  return samples.reduce((merged, sample) => merge(merged, sample), { ...carried });
}

/** Joins two samples, so that each version finds its own fields. */
function merge(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const joined = Object.entries(other).map(([name, value]) => {
    const before = one[name];
    return [name, isObject(before) && isObject(value) ? merge(before, value) : value] as const;
  });
  return { ...one, ...Object.fromEntries(joined) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
