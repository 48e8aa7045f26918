import { failure } from "../../errors/errors.ts";
import type { Selection } from "../../sync/source.ts";
import { syncKinds } from "../../sync/sync-kinds.ts";

/** null for all. Throws a usage error for unknown nouns. */
export function parseOnly(text: unknown): Selection | null {
  if (typeof text !== "string") return null;
  const words = text.split(",").map((word) => word.trim());
  const known = new Map(syncKinds.map(({ noun, type }) => [noun, type]));
  const types = words.map((word) => {
    const type = known.get(word);
    if (type) return type;
    throw failure("usage", `--only takes ${[...known.keys()].join(", ")}, not "${word}".`);
  });
  return { types: new Set(types), name: "--only" };
}
