import { LRUCache } from "lru-cache";

/**
 * Keeps values in memory, each at one revision; when it is full, the least recently used goes. Callers name the revision that
 * the database has now, so they never get a value that another process has changed since.
 */
export class RevisionCache<Key extends number | string, Value, Revision extends number | string = number> {
  readonly #kept: LRUCache<Key, { revision: Revision; value: Value }>;

  constructor(valuesMax: number) {
    this.#kept = new LRUCache({ max: valuesMax });
  }

  /** The value, if it is here at this revision. */
  get(key: Key, revision: Revision): Value | undefined {
    const kept = this.#kept.get(key);
    return kept?.revision === revision ? kept.value : undefined;
  }

  /** Keeps a value, which must be of committed data. */
  keep(key: Key, revision: Revision, value: Value): void {
    this.#kept.set(key, { revision, value });
  }
}
