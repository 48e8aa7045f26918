import * as z from "zod";

/** The fields of a model by their wire names. */
export type Shape = Record<string, z.ZodType>;

/** What an operation answers with: a model, or a bare array of one. */
export type AnswerModel = z.ZodObject<Shape> | z.ZodArray<z.ZodObject<Shape>>;

/**
 * Declares what goes over the wire: a named object that takes no field but those listed (OP-8). The hints are for
 * fields that hold the model.
 */
export function defineModel<const S extends Shape>(name: string, shape: S, hints: ModelHints = {}) {
  return z.strictObject(shape).meta({ id: name, ...hints });
}

interface ModelHints {
  description?: string;
  /** The option on the command line, where the field's own name does not do. */
  flag?: string;
}

/** The model of an answer, or of the entries of a bare array. */
export function entryModel(answer: AnswerModel): z.ZodObject<Shape> {
  return answer instanceof z.ZodArray ? answer.element : answer;
}

/** The name that a model was declared with. */
export function modelName(model: z.ZodType): string {
  const name = model.meta()?.id;
  if (!name) throw new Error("The model has no name.");
  return name;
}

/** May be left out; null means unset (OP-11). */
export function optional<T extends z.ZodType>(field: T): z.ZodOptional<z.ZodNullable<T>> {
  return wrapOnce(optionals, field, () => field.nullish()) as z.ZodOptional<z.ZodNullable<T>>;
}

/** The values of filters as they are read from a query; one that is absent or null filters nothing. */
export type FilterValues<S extends Shape> = { [Name in keyof S]?: z.output<S[Name]> };

/** Makes every field of a shape optional. */
export function allOptional<S extends Shape>(
  shape: S,
): { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> } {
  const entries = Object.entries(shape).map(([name, field]) => [name, optional(field)]);
  // Object.fromEntries forgets the keys; the mapping above keeps each of them.
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };
}

/** In an answer: present always, null when there is no value (OP-3). */
export function nullable<T extends z.ZodType>(field: T): z.ZodNullable<T> {
  return wrapOnce(nullables, field, () => field.nullable()) as z.ZodNullable<T>;
}

const optionals = new WeakMap<z.ZodType, z.ZodType>();
const nullables = new WeakMap<z.ZodType, z.ZodType>();

/** Many fields share a schema; making schemas is most of what loading the models costs. */
function wrapOnce(known: WeakMap<z.ZodType, z.ZodType>, field: z.ZodType, wrap: () => z.ZodType): z.ZodType {
  const wrapped = known.get(field) ?? wrap();
  known.set(field, wrapped);
  return wrapped;
}

/** Makes every field of an answer nullable. */
export function allNullable<S extends Shape>(shape: S): { [K in keyof S]: z.ZodNullable<S[K]> } {
  const entries = Object.entries(shape).map(([name, field]) => [name, nullable(field)]);
  // As in allOptional.
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodNullable<S[K]> };
}

/** A list; with `distinct` no entry may stand in it twice. The rules are judged on the input as it was sent. */
export function list<T extends z.ZodType>(entry: T, { min = 0, max, distinct = false }: ListRules = {}) {
  return z.array(entry, { error: "must be a list" }).meta({
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
