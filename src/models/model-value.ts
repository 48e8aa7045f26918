import type * as z from "zod";
import type { Shape } from "./model.ts";
import type { Modelled } from "./one-of.ts";
import type { StoredRecord } from "./stored-record.ts";

/** A model's value in a response. A record may be stored text, or a `Modelled` if several models are possible. */
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

export type ModelFields<Fields extends Shape> = {
  readonly [K in Exclude<keyof Fields, OptionalNames<Fields>>]: ModelValue<Fields[K]>;
} & { readonly [K in OptionalNames<Fields>]?: ModelValue<Fields[K]> };

type OptionalNames<Fields extends Shape> = {
  [K in keyof Fields]: Fields[K] extends z.ZodOptional ? K : never;
}[keyof Fields];

export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;
