import type * as z from "zod";
import type { ApiVersion } from "../api-versions.ts";
import { type AnswerModel, entryModel, type Shape } from "../model.ts";
import { unwrap } from "../parse.ts";
import { modelAt } from "./serializer.ts";

/** Dotted paths in the order of responses. Omits fields inside lists. */
export function fieldPathsOf(answer: AnswerModel, version: ApiVersion): string[] {
  return toFieldPaths(recordOf(answer), version);
}

/** The model of a list's entries, else of the response. */
export function recordOf(answer: AnswerModel): z.ZodObject<Shape> {
  const model = entryModel(answer);
  const results = model.shape.results;
  return results ? (unwrap((results as z.ZodArray<z.ZodType>).element) as z.ZodObject<Shape>) : model;
}

function toFieldPaths(model: z.ZodObject<Shape>, version: ApiVersion): string[] {
  const { shape } = modelAt(model, version);
  return Object.keys(shape)
    .sort()
    .flatMap((name) => {
      const field = shape[name];
      const inner = field && unwrap(field);
      if (inner?.type !== "object") return [name];
      return [name, ...toFieldPaths(inner as z.ZodObject<Shape>, version).map((path) => `${name}.${path}`)];
    });
}
