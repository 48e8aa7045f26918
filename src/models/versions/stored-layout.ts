import { createHash } from "node:crypto";
import type * as z from "zod";
import { apiVersions } from "../api-versions.ts";
import { modelName, type Shape } from "../model.ts";
import type { StoredLayout } from "../stored-record.ts";
import { modelNamesIn } from "./affected.ts";
import type { ModelChange } from "./change.ts";
import { changes, modelChangesSince } from "./index.ts";

/** All but `computed` fields are stored, in segments unless versions differ. `history`: changes, newest first. */
export function defineStoredLayout<M extends z.ZodObject<Shape>>(
  model: M,
  computed: readonly string[],
  history: readonly ModelChange[] = modelChangesSince(apiVersions[0], modelName(model)),
): StoredLayout<M> {
  const names = new Set(
    [model, ...history.map(({ before }) => before)].flatMap(({ shape }) => Object.keys(shape)),
  );
  const inSegments = [...names].filter(
    (name) => !computed.includes(name) && isAlwaysTheSame(model, name, history),
  );
  const woven = [...names].filter((name) => !inSegments.includes(name)).sort();
  const segments = [...woven, undefined].map((end, index) => {
    const start = woven[index - 1];
    return inSegments.filter((name) => (!start || name > start) && (!end || name < end)).sort();
  });
  const tag = createHash("sha256").update(JSON.stringify(segments)).digest("hex").slice(0, 8);
  return { model, tag, woven, segments, computed, renamed: toRenamed(history) };
}

function isAlwaysTheSame(model: z.ZodObject<Shape>, name: string, history: readonly ModelChange[]): boolean {
  const field = model.shape[name];
  if (!field || history.some(({ before }) => before.shape[name] !== field)) return false;
  const inside = modelNamesIn(field);
  return !changes.some((change) => change.kind === "model" && inside.has(change.model));
}

function toRenamed(history: readonly ModelChange[]): [string, string][] {
  return history.flatMap(({ renamed = {} }) => Object.entries(renamed)).reverse();
}
