import * as z from "zod";
import { lazySchema, toZod } from "./lazy-schema.ts";
import type { Shape } from "./model.ts";

type Model = z.ZodObject<Shape>;

/** In a response: a record of one of several models, as `Modelled`. */
export function oneOf<M extends Model>(models: readonly M[]): z.ZodUnion<readonly M[]> {
  const make = () => z.union(models.map(toZod)) as z.ZodUnion<readonly M[]>;
  return lazySchema({ type: "union", options: models }, make);
}

/** A record in the newest API version with its model. */
export class Modelled<M extends Model = Model> {
  readonly model: M;
  readonly record: Readonly<Record<string, unknown>>;

  constructor(model: M, record: Readonly<Record<string, unknown>>) {
    this.model = model;
    this.record = record;
  }
}
