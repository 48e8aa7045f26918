import { RevisionCache } from "./revision-cache.ts";

/** Counts that were made before, of lists that many pages are read of. */
export interface CountMemory {
  /** The count of a query, if it was made at this revision; else makes it. Without a revision it is made each time. */
  count(key: string, make: () => Promise<number>): Promise<number>;
}

/**
 * Makes what remembers counts for `at`, which binds it to a reader: the revision that it found before it began, and a way to
 * ask again. They differ when somebody committed while the reader waited for its turn; it counts what it sees then.
 */
export function createCountMemories(): {
  at(revision: number | null, readRevision: () => number | null): CountMemory;
} {
  const known = new RevisionCache<string, number>(countsMax);
  return {
    at: (revision, readRevision) => ({
      async count(key, make) {
        if (revision === null || readRevision() !== revision) return make();
        const kept = known.get(key, revision);
        if (kept !== undefined) return kept;
        const total = await make();
        known.keep(key, revision, total);
        return total;
      },
    }),
  };
}

const countsMax = 2000;

/** For transactions that write, whose counts nobody else may see. */
export const noCountMemory: CountMemory = { count: (_key, make) => make() };
