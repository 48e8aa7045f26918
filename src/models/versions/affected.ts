import type * as z from "zod";
import { type ApiVersion, apiVersions } from "../api-versions.ts";
import { type AnswerModel, entryModel, type Shape } from "../model.ts";
import { unwrap } from "../parse.ts";
import type { Change } from "./change.ts";
import { changes } from "./index.ts";

export interface Difference {
  introduced: ApiVersion;
  text: string;
}

interface Called {
  name: string;
  models: readonly AnswerModel[];
  lifetime?: { until: ApiVersion };
}

/** The differences between two versions, in either direction, oldest first. */
export function differencesOf(
  { name, models, lifetime }: Called,
  from: ApiVersion,
  to: ApiVersion,
): Difference[] {
  const [older, newer] = from < to ? [from, to] : [to, from];
  const names = new Set(models.flatMap((model) => [...modelNamesIn(entryModel(model))]));
  const isAffecting = (change: Change) =>
    change.kind === "model" ? names.has(change.model) : change.operation === name;
  const differences = changes
    .filter(({ introduced }) => introduced > older && introduced <= newer)
    .filter(isAffecting)
    .map(({ introduced, text }) => ({ introduced, text }));
  if (!lifetime || lifetime.until < older || lifetime.until >= newer) return differences;
  const introduced = apiVersions.find((version) => version > lifetime.until) ?? newer;
  return [...differences, { introduced, text: `${name} no longer exists.` }];
}

export function modelNamesIn(schema: z.ZodType, names = new Set<string>()): Set<string> {
  const inner = unwrap(schema);
  if (inner.type === "array") return modelNamesIn((inner as z.ZodArray<z.ZodType>).element, names);
  if (inner.type === "union") {
    for (const option of (inner as z.ZodUnion<z.ZodType[]>).options) modelNamesIn(option, names);
  }
  if (inner.type !== "object") return names;
  const model = inner as z.ZodObject<Shape>;
  const name = model.meta()?.id ?? "";
  if (names.has(name)) return names;
  names.add(name);
  for (const field of Object.values(model.shape)) modelNamesIn(field, names);
  return names;
}
