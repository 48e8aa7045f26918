import type * as z from "zod";
import type { Shape } from "./model.ts";
import type { Modelled } from "./one-of.ts";
import type { StoredRecord } from "./stored-record.ts";

/**
 * What may be given as the value of a model in an answer: every field of it with its type, frozen or not; a record that
 * is stored as text; for one of several models a record that names its own. A field that is missing or of another type
 * does not compile. More fields than the model's do, because TypeScript does not look for more in what a function
 * returns: they are left out when the answer is written.
 */
export type ModelValue<S extends z.ZodType> =
  S extends z.ZodNullable<infer Inner extends z.ZodType>
    ? ModelValue<Inner> | null
    : S extends z.ZodOptional<infer Inner extends z.ZodType>
      ? ModelValue<Inner> | undefined
      : S extends z.ZodArray<infer Entry extends z.ZodType>
        ? readonly ModelValue<Entry>[]
        : S extends z.ZodObject<infer Fields extends Shape>
          ? ModelFields<Fields> | StoredRecord<S>
          : S extends z.ZodUnion<readonly (infer Option extends z.ZodObject<Shape>)[]>
            ? Modelled<Option>
            : DeepReadonly<z.output<S>>;

/** The same for the fields of a model; those that an answer can do without may be left out. */
export type ModelFields<Fields extends Shape> = {
  readonly [K in Exclude<keyof Fields, OptionalNames<Fields>>]: ModelValue<Fields[K]>;
} & { readonly [K in OptionalNames<Fields>]?: ModelValue<Fields[K]> };

type OptionalNames<Fields extends Shape> = {
  [K in keyof Fields]: Fields[K] extends z.ZodOptional ? K : never;
}[keyof Fields];

/** The same value for those who only read it: lists and objects in it too. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;
