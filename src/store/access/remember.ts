import { RevisionCache } from "./revision-cache.ts";

/** Gives another value after each change of what is remembered; null when that cannot be told cheaply. */
export type ReadRevision = () => number | null;

/**
 * Remembers what a question about the store was answered, as long as the revision is the same. The revision is
 * read before the question is asked, so that an answer is at least as new as its revision. Without a
 * revision nothing is remembered. Undefined is asked for again each time.
 */
export function remember<Args extends readonly (number | string | null)[], T extends object>(
  readRevision: ReadRevision,
  ask: (...args: Args) => Promise<T | undefined>,
  entriesMax: number,
): (...args: Args) => Promise<T | undefined> {
  const known = new RevisionCache<string, T>(entriesMax);
  return async (...args) => {
    const revision = readRevision();
    if (revision === null) return ask(...args);
    const key = JSON.stringify(args);
    const kept = known.get(key, revision);
    if (kept) return kept;
    const answer = await ask(...args);
    if (answer) known.keep(key, revision, answer);
    return answer;
  };
}
