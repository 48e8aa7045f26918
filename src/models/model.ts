import * as z from "zod";
import { lazySchema, originOf, toZod } from "./lazy-schema.ts";

export type Shape = Record<string, z.ZodType>;

/** A model, or a bare array of one. */
export type AnswerModel = z.ZodObject<Shape> | z.ZodArray<z.ZodObject<Shape>>;

/** Refuses unlisted fields. The hints are for fields that hold the model. */
export function defineModel<const S extends Shape>(name: string, shape: S, hints: ModelHints = {}) {
  return unnamedModel(shape).meta({ id: name, ...hints });
}

export function unnamedModel<const S extends Shape>(shape: S) {
  return lazySchema({ type: "object", shape }, () => z.strictObject(mapShape(shape, toZod) as S));
}

interface ModelHints {
  description?: string;
  /** The operation refuses an object with fewer fields. */
  minProperties?: number;
  /** The option on the command line, if the field's name does not fit. */
  flag?: string;
}

export function entryModel(answer: AnswerModel): z.ZodObject<Shape> {
  return answer.type === "array" ? answer.element : answer;
}

export function modelName(model: z.ZodType): string {
  const name = model.meta()?.id;
  if (!name) throw new Error("The model has no name.");
  return name;
}

/** Marks a field that the interface does not have. */
export const extension = { "x-extension": true } as const;

/** May be absent; null unsets it. */
export function optional<T extends z.ZodType>(field: T): z.ZodOptional<z.ZodNullable<T>> {
  return wrapOnce(optionals, field, () => toOptional(nullable(field))) as z.ZodOptional<z.ZodNullable<T>>;
}

/** In a PATCH: may be absent; null is refused like a missing value at creation. */
export function replaceable<T extends z.ZodType>(field: T): z.ZodOptional<T> {
  return toOptional(field) as z.ZodOptional<T>;
}

export function allReplaceable<S extends Shape>(shape: S): { [K in keyof S]: z.ZodOptional<S[K]> } {
  // As in allOptional.
  return mapShape(shape, replaceable) as { [K in keyof S]: z.ZodOptional<S[K]> };
}

/** In a PATCH: may be absent; null restores the value of a new record. */
export function resettable<T extends z.ZodType>(field: T, initial: z.output<T>): Resettable<T> {
  const make = () => z.nullable(toZod(field)).transform((value) => value ?? initial);
  const wrapped = lazySchema({ type: "nullable", unwrap: () => field }, make as () => z.ZodType);
  return toOptional(wrapped) as unknown as Resettable<T>;
}

type Resettable<T extends z.ZodType> = z.ZodOptional<z.ZodType<z.output<T>, z.input<T> | null>>;

export function allResettable<S extends Shape>(
  shape: S,
  initial: { [K in keyof S]: z.output<S[K]> },
): { [K in keyof S]: Resettable<S[K]> } {
  const fields = Object.entries(shape).map(([name, field]) => [name, resettable(field, initial[name])]);
  // As in allOptional.
  return Object.fromEntries(fields) as { [K in keyof S]: Resettable<S[K]> };
}

/** In a response: absent without a value, where other fields are null. */
export function absentable<T extends z.ZodType>(field: T): z.ZodOptional<T> {
  const wrapped = toOptional(field);
  absentables.add(originOf(wrapped));
  return wrapped as z.ZodOptional<T>;
}

export const mayBeAbsent = (field: z.ZodType) => absentables.has(originOf(field));

const absentables = new WeakSet<z.core.$ZodType>();

/** An absent or null filter keeps everything. */
export type FilterValues<S extends Shape> = { [Name in keyof S]?: z.output<S[Name]> };

export function allOptional<S extends Shape>(
  shape: S,
): { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> } {
  // mapShape loses the types; each field keeps its own.
  return mapShape(shape, optional) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };
}

/** In a response: always present, null without a value. */
export function nullable<T extends z.ZodType>(field: T): z.ZodNullable<T> {
  return wrapOnce(nullables, field, () => toNullable(field)) as z.ZodNullable<T>;
}

const optionals = new WeakMap<z.ZodType, z.ZodType>();
const nullables = new WeakMap<z.ZodType, z.ZodType>();

function toOptional(field: z.ZodType): z.ZodType {
  return lazySchema({ type: "optional", unwrap: () => field }, () => z.optional(toZod(field)));
}

function toNullable(field: z.ZodType): z.ZodType {
  return lazySchema({ type: "nullable", unwrap: () => field }, () => z.nullable(toZod(field)));
}

/** Caches the result, because many fields share a schema. */
function wrapOnce(known: WeakMap<z.ZodType, z.ZodType>, field: z.ZodType, wrap: () => z.ZodType): z.ZodType {
  const wrapped = known.get(field) ?? wrap();
  known.set(field, wrapped);
  return wrapped;
}

export function allNullable<S extends Shape>(shape: S): { [K in keyof S]: z.ZodNullable<S[K]> } {
  // As in allOptional.
  return mapShape(shape, nullable) as { [K in keyof S]: z.ZodNullable<S[K]> };
}

/** The rules apply to the input as sent. */
export function list<T extends z.ZodType>(entry: T, { min = 0, max, distinct = false }: ListRules = {}) {
  const make = () => z.array(toZod(entry), { error: "must be a list" });
  return lazySchema({ type: "array", element: entry }, make).meta({
    ...(min > 0 && { minItems: min }),
    ...(max !== undefined && { maxItems: max }),
    ...(distinct && { uniqueItems: true }),
  });
}

interface ListRules {
  min?: number;
  max?: number;
  distinct?: boolean;
}

export function mapShape(shape: Shape, change: (field: z.ZodType) => z.ZodType): Shape {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, change(field)]));
}
