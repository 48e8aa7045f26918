import type * as z from "zod";
import { fieldKinds } from "../models/fields.ts";
import type { Shape } from "../models/model.ts";
import { unwrap } from "../models/parse.ts";
import { changes } from "./index.ts";

const moment = "2026-11-21T08:30:00.000000";

/** Fields of a job's customer that only versions before 2021/11/04 show. */
const carried = { customer_created_on: moment, customer_last_updated_on: moment };

/** An example record in a model's newest shape, with every field that a conversion to an older version reads. */
export function sampleRecord(model: z.ZodObject<Shape>): Record<string, unknown> {
  return sampleOf(model) as Record<string, unknown>;
}

/** The id of every record in an example. */
export const sampleId = 17;

/** An example value of a field. */
export function sampleOf(schema: z.ZodType, name = ""): unknown {
  const inner = unwrap(schema);
  if (inner.type === "array") return [sampleOf((inner as z.ZodArray<z.ZodType>).element, name)];
  if (inner.type === "object") return sampleObject(inner as z.ZodObject<Shape>);
  const kind = fieldKinds.get(inner);
  if (!kind) return null;
  const {
    enum: words,
    examples,
    minimum,
    maxLength,
  } = kind.output as {
    enum?: string[];
    examples?: unknown[];
    minimum?: number;
    maxLength?: number;
  };
  switch (kind.name) {
    case "boolean":
      return false;
    case "integer":
      return name.endsWith("id") ? sampleId : Math.max(minimum ?? 1, 1);
    case "number":
      return Math.max(minimum ?? 1.5, 1.5);
    case "timestamp":
      return moment;
    case "object":
      return {};
    default:
      return words?.[0] ?? examples?.[0] ?? name.replaceAll("_", " ").slice(0, maxLength);
  }
}

function sampleObject(model: z.ZodObject<Shape>): Record<string, unknown> {
  const id = model.meta()?.id;
  const older = changes.filter((change) => change.kind === "model").filter((change) => change.model === id);
  const samples = [...older.map(({ before }) => before), model].map(({ shape }) =>
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sampleOf(field, name)])),
  );
  return samples.reduce((merged, sample) => merge(merged, sample), { ...carried });
}

/** Merges the fields of two objects, so that each version finds those that it shows. */
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
