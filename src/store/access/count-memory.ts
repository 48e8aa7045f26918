import { LRUCache } from "lru-cache";

/** Counts that were made before, of lists that many pages are read of. */
export interface CountMemory {
  /** The count of a query, if it was made at this revision; else makes it. Without a revision it is made each time. */
  count(key: string, make: () => Promise<number>): Promise<number>;
}

/** Makes what remembers counts for `at`, which binds it to the revision that a reader found before it began. */
export function createCountMemories(): { at(revision: number | null): CountMemory } {
  // To count 100,000 rows of an index takes 10 ms, more than all else that a page takes.
  const known = new LRUCache<string, { revision: number; total: number }>({ max: countsMax });
  return {
    at: (revision) => ({
      async count(key, make) {
        const kept = revision === null ? undefined : known.get(key);
        if (kept && kept.revision === revision) return kept.total;
        const total = await make();
        if (revision !== null) known.set(key, { revision, total });
        return total;
      },
    }),
  };
}

const countsMax = 2000;

/** For transactions that write, whose counts nobody else may see. */
export const noCountMemory: CountMemory = { count: (_key, make) => make() };
