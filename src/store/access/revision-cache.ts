/**
 * Keeps records in memory, each at one revision; when it is full, the least recently used record goes. Callers name the
 * revision that the database has now, so they never get a record that another process has changed since.
 */
export class RevisionCache<T extends object, Revision extends number | string = number> {
  readonly #recordsMax: number;
  readonly #records = new Map<number, { revision: Revision; record: T }>();

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
  }

  /** The record, if it is here at this revision. */
  get(id: number, revision: Revision): T | undefined {
    const kept = this.#records.get(id);
    if (kept?.revision !== revision) return undefined;
    // A map keeps the order of insertion: what is used moves to its end.
    this.#records.delete(id);
    this.#records.set(id, kept);
    return kept.record;
  }

  /** Keeps a record, which must be of committed data. */
  keep(id: number, revision: Revision, record: T | undefined): void {
    if (!record) return;
    this.#records.set(id, { revision, record });
    if (this.#records.size > this.#recordsMax) this.#records.delete(this.#records.keys().next().value ?? id);
  }
}
