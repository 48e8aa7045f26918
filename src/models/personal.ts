import type * as z from "zod";
import { fieldKinds } from "./fields.ts";
import { originOf } from "./lazy-schema.ts";
import type { Shape } from "./model.ts";
import { modelName } from "./model.ts";

/** Marks personal data, which an erasure replaces with `erased`, null, or a word. */
export function personal<T extends z.ZodType>(field: T, erased: string | null = null): T {
  marks.set(originOf(field), erased);
  return field;
}

const marks = new WeakMap<z.core.$ZodType, string | null>();

export interface Erasing {
  /** Replaces texts that must not be null. */
  word: string;
  /** Default: all marked fields. */
  only?: { id: number; model: z.ZodType };
}

/** Also for a part of a record. Ids, times, and counts stay. */
export function withoutPersonal(model: z.ZodType, value: unknown, erasing: Erasing): unknown {
  return walk(model, value, erasing, erasing.only === undefined);
}

export function erasedFields(model: z.ZodObject<Shape>, word: string): Record<string, unknown> {
  const marked = Object.entries(model.shape).filter(([, field]) => markOf(field) !== undefined);
  return Object.fromEntries(marked.map(([name, field]) => [name, toErased(field, word)]));
}

function walk(schema: z.ZodType, value: unknown, erasing: Erasing, isSubject: boolean): unknown {
  if (value === null || value === undefined) return value;
  if (isSubject && markOf(schema) !== undefined) return toErased(schema, erasing.word);
  const inner = bare(schema);
  if (inner.type === "array" && Array.isArray(value)) {
    const { element } = inner as z.ZodArray<z.ZodType>;
    return value.map((entry) => walk(element, entry, erasing, isSubject));
  }
  if (inner.type !== "object" || typeof value !== "object") return value;
  const { shape } = inner as z.ZodObject<Shape>;
  const fields = value as Readonly<Record<string, unknown>>;
  const isNow = isSubject || isOnly(inner, fields, erasing);
  const erased = Object.entries(fields).map(([name, held]) => {
    const field = shape[name];
    if (field) return [name, walk(field, held, erasing, isNow)];
    return [name, isNow ? eraseUnknown(held, erasing.word) : held];
  });
  return Object.fromEntries(erased);
}

function isOnly(model: z.ZodType, { id }: Readonly<Record<string, unknown>>, { only }: Erasing): boolean {
  return only !== undefined && id === only.id && model.meta()?.id === modelName(only.model);
}

/** A field in no model may contain anything, so all its texts are erased. */
function eraseUnknown(value: unknown, word: string): unknown {
  if (typeof value === "string") return word;
  if (Array.isArray(value)) return value.map((entry) => eraseUnknown(entry, word));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, eraseUnknown(held, word)]));
}

/** null if the field may be null, else a value of its kind. */
function toErased(field: z.ZodType, word: string): unknown {
  if (field.type === "nullable" || field.type === "optional") return null;
  const own = markOf(field);
  if (own) return own;
  const kind = fieldKinds.get(field)?.name;
  return kind === "number" || kind === "integer" ? 0 : word;
}

function markOf(schema: z.ZodType): string | null | undefined {
  const own = marks.get(originOf(schema));
  if (own !== undefined) return own;
  const inner = bareOnce(schema);
  return inner === schema ? undefined : markOf(inner);
}

function bareOnce(schema: z.ZodType): z.ZodType {
  const isWrapped = schema.type === "optional" || schema.type === "nullable";
  return isWrapped ? (schema as z.ZodOptional<z.ZodType>).unwrap() : schema;
}

function bare(schema: z.ZodType): z.ZodType {
  const inner = bareOnce(schema);
  return inner === schema ? schema : bare(inner);
}
