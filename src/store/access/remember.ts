import { LRUCache } from "lru-cache";

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
  const known = new LRUCache<string, { revision: number; answer: T }>({ max: entriesMax });
  return async (...args) => {
    const revision = readRevision();
    if (revision === null) return ask(...args);
    const key = JSON.stringify(args);
    const kept = known.get(key);
    if (kept?.revision === revision) return kept.answer;
    const answer = await ask(...args);
    if (answer === undefined) known.delete(key);
    else known.set(key, { revision, answer });
    return answer;
  };
}
