import * as z from "zod";
import { lazySchema, originOf, toZod } from "./lazy-schema.ts";

/** The fields of a model by their wire names. */
export type Shape = Record<string, z.ZodType>;

/** What an operation answers with: a model, or a bare array of one. */
export type AnswerModel = z.ZodObject<Shape> | z.ZodArray<z.ZodObject<Shape>>;

/**
 * Declares what goes over the wire: a named object that takes no field but those listed. The hints are for
 * fields that hold the model.
 */
export function defineModel<const S extends Shape>(name: string, shape: S, hints: ModelHints = {}) {
  return unnamedModel(shape).meta({ id: name, ...hints });
}

/** The same without a name, as a request's parameters are. */
export function unnamedModel<const S extends Shape>(shape: S) {
  return lazySchema({ type: "object", shape }, () => z.strictObject(mapShape(shape, toZod) as S));
}

interface ModelHints {
  description?: string;
  /** How many fields it needs, whichever they are; its operation refuses fewer. */
  minProperties?: number;
  /** The option on the command line, where the field's own name does not do. */
  flag?: string;
}

/** The model of an answer, or of the entries of a bare array. */
export function entryModel(answer: AnswerModel): z.ZodObject<Shape> {
  return answer.type === "array" ? answer.element : answer;
}

/** The name that a model was declared with. */
export function modelName(model: z.ZodType): string {
  const name = model.meta()?.id;
  if (!name) throw new Error("The model has no name.");
  return name;
}

/** Said of a field, as metadata, that the interface does not have: the OpenAPI document marks it. */
export const extension = { "x-extension": true } as const;

/** May be left out; null unsets it. */
export function optional<T extends z.ZodType>(field: T): z.ZodOptional<z.ZodNullable<T>> {
  return wrapOnce(optionals, field, () => toOptional(nullable(field))) as z.ZodOptional<z.ZodNullable<T>>;
}

/** In a PATCH: may be left out; null is a missing value, as at creation. */
export function replaceable<T extends z.ZodType>(field: T): z.ZodOptional<T> {
  return toOptional(field) as z.ZodOptional<T>;
}

/** Makes every field of a shape replaceable. */
export function allReplaceable<S extends Shape>(shape: S): { [K in keyof S]: z.ZodOptional<S[K]> } {
  // As in allOptional.
  return mapShape(shape, replaceable) as { [K in keyof S]: z.ZodOptional<S[K]> };
}

/** In a PATCH: may be left out; null sets the field back to the value that a new record has. */
export function resettable<T extends z.ZodType>(field: T, initial: z.output<T>): Resettable<T> {
  const make = () => z.nullable(toZod(field)).transform((value) => value ?? initial);
  const wrapped = lazySchema({ type: "nullable", unwrap: () => field }, make as () => z.ZodType);
  return toOptional(wrapped) as unknown as Resettable<T>;
}

type Resettable<T extends z.ZodType> = z.ZodOptional<z.ZodType<z.output<T>, z.input<T> | null>>;

/** Makes every field resettable that has a value in `initial`. */
export function allResettable<S extends Shape>(
  shape: S,
  initial: { [K in keyof S]: z.output<S[K]> },
): { [K in keyof S]: Resettable<S[K]> } {
  const fields = Object.entries(shape).map(([name, field]) => [name, resettable(field, initial[name])]);
  // As in allOptional.
  return Object.fromEntries(fields) as { [K in keyof S]: Resettable<S[K]> };
}

/** In an answer: not there when there is nothing to say, which is otherwise null. */
export function absentable<T extends z.ZodType>(field: T): z.ZodOptional<T> {
  const wrapped = toOptional(field);
  absentables.add(originOf(wrapped));
  return wrapped as z.ZodOptional<T>;
}

/** Whether an answer may be without the field. */
export const mayBeAbsent = (field: z.ZodType) => absentables.has(originOf(field));

const absentables = new WeakSet<z.core.$ZodType>();

/** The values of filters as they are read from a query; one that is absent or null filters nothing. */
export type FilterValues<S extends Shape> = { [Name in keyof S]?: z.output<S[Name]> };

/** Makes every field of a shape optional. */
export function allOptional<S extends Shape>(
  shape: S,
): { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> } {
  // mapShape forgets the types; each field keeps its own.
  return mapShape(shape, optional) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };
}

/** In an answer: present always, null when there is no value. */
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

/** Many fields share a schema. */
function wrapOnce(known: WeakMap<z.ZodType, z.ZodType>, field: z.ZodType, wrap: () => z.ZodType): z.ZodType {
  const wrapped = known.get(field) ?? wrap();
  known.set(field, wrapped);
  return wrapped;
}

/** Makes every field of an answer nullable. */
export function allNullable<S extends Shape>(shape: S): { [K in keyof S]: z.ZodNullable<S[K]> } {
  // As in allOptional.
  return mapShape(shape, nullable) as { [K in keyof S]: z.ZodNullable<S[K]> };
}

/** A list; with `distinct` no entry may stand in it twice. The rules are judged on the input as it was sent. */
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

/** Applies a change to each field of a shape. */
export function mapShape(shape: Shape, change: (field: z.ZodType) => z.ZodType): Shape {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, change(field)]));
}
