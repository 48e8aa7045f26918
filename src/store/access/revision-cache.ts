/**
 * Records kept in memory, each at one revision; the one used least recently gives way. Whoever asks names the revision
 * that the database has now, so a record that another process changed is never taken from here.
 */
export class RevisionCache<T extends object> {
  readonly #recordsMax: number;
  readonly #records = new Map<number, { revision: number; record: T }>();

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
  }

  /** The record, if it is here at this revision. */
  get(id: number, revision: number): T | undefined {
    const kept = this.#records.get(id);
    if (kept?.revision !== revision) return undefined;
    // A map keeps the order of insertion: what is used moves to its end.
    this.#records.delete(id);
    this.#records.set(id, kept);
    return kept.record;
  }

  /** Keeps a record of committed data. */
  keep(id: number, revision: number, record: T | undefined): void {
    if (!record) return;
    this.#records.set(id, { revision, record });
    if (this.#records.size > this.#recordsMax) this.#records.delete(this.#records.keys().next().value ?? id);
  }
}
