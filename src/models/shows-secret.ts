import type * as z from "zod";
import { fieldKinds } from "./fields.ts";
import type { AnswerModel, Shape } from "./model.ts";
import { unwrap } from "./parse.ts";

export function showsSecret(answer: AnswerModel): boolean {
  const found = known.get(answer) ?? holdsSecret(answer, new Set());
  known.set(answer, found);
  return found;
}

export function holdsSecretValue(answer: AnswerModel, value: unknown): boolean {
  return showsSecret(answer) && hasSecretIn(answer, value);
}

function hasSecretIn(schema: z.ZodType, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  const inner = unwrap(schema);
  if (inner.type === "array") {
    const { element } = inner as z.ZodArray<z.ZodType>;
    return (value as unknown[]).some((entry) => hasSecretIn(element, entry));
  }
  if (inner.type !== "object") return holdsSecret(inner, new Set());
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries((inner as z.ZodObject<Shape>).shape).some(([name, field]) =>
    hasSecretIn(field, fields[name]),
  );
}

/** Copies a response with `***` for secrets. */
export function maskSecrets(answer: AnswerModel, value: unknown): unknown {
  return showsSecret(answer) ? maskIn(answer, value) : value;
}

function maskIn(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const inner = unwrap(schema);
  if (inner.type === "array") {
    const { element } = inner as z.ZodArray<z.ZodType>;
    return (value as unknown[]).map((entry) => maskIn(element, entry));
  }
  if (inner.type !== "object") return holdsSecret(inner, new Set()) ? "***" : value;
  const { shape } = inner as z.ZodObject<Shape>;
  const fields = Object.entries(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, shape[name] ? maskIn(shape[name], field) : field]),
  );
}

const known = new WeakMap<z.ZodType, boolean>();

function holdsSecret(schema: z.ZodType, seen: Set<z.ZodType>): boolean {
  const inner = unwrap(schema);
  if (seen.has(inner)) return false;
  seen.add(inner);
  const inside = (part: z.ZodType) => holdsSecret(part, seen);
  if (inner.type === "array") return inside((inner as z.ZodArray<z.ZodType>).element);
  if (inner.type === "union") return (inner as z.ZodUnion<z.ZodType[]>).options.some(inside);
  if (inner.type === "object") return Object.values((inner as z.ZodObject<Shape>).shape).some(inside);
  return fieldKinds.get(inner)?.isSecret === true;
}
