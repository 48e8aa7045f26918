/**
 * Keeps values in memory, each at one revision; when it is full, the least recently used goes. Callers name the revision that
 * the database has now, so they never get a value that another process has changed since. Making one costs nothing, because
 * every command opens a store.
 */
export class RevisionCache<Key extends number | string, Value, Revision extends number | string = number> {
  readonly #valuesMax: number;
  readonly #kept = new Map<Key, { revision: Revision; value: Value }>();

  constructor(valuesMax: number) {
    this.#valuesMax = valuesMax;
  }

  /** The value, if it is here at this revision. */
  get(key: Key, revision: Revision): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept?.revision !== revision) return undefined;
    this.#keepLast(key, kept);
    return kept.value;
  }

  /** Keeps a value, which must be of committed data. */
  keep(key: Key, revision: Revision, value: Value): void {
    this.#keepLast(key, { revision, value });
    if (this.#kept.size > this.#valuesMax) this.#kept.delete(this.#kept.keys().next().value ?? key);
  }

  /** A map keeps the order of insertion: what is used moves to its end. */
  #keepLast(key: Key, kept: { revision: Revision; value: Value }): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
  }
}
