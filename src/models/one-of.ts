import * as z from "zod";
import type { Shape } from "./model.ts";

type Model = z.ZodObject<Shape>;

/** In an answer: a record of one of several models. Its value is given as `Modelled`, which says of which. */
export function oneOf(models: readonly Model[]) {
  return z.union(models);
}

/** A record together with its model, for a field that takes several. */
export class Modelled {
  readonly model: Model;
  readonly record: Readonly<Record<string, unknown>>;

  constructor(model: Model, record: Readonly<Record<string, unknown>>) {
    this.model = model;
    this.record = record;
  }
}
