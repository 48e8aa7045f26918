/**
 * What a commit may concern other processes with: deliveries that became due, what tenants share (tokens, users, metadata),
 * workers that hold deliveries now.
 */
export type StoreHint = "deliveries" | "shared" | "workers";

/**
 * Hints between processes of one store. Each may be lost, so whoever waits for one also looks by itself now and then; while
 * they come in that need not be often (OP-373).
 */
export interface StoreHints {
  /** Tells whoever listens, in this process and in others. */
  give(hint: StoreHint): void;
  /** Calls `listener` with each hint, until the function that it gives is called. */
  onHint(listener: (hint: StoreHint) => void): () => void;
  /** Begins to listen for other processes, where the database can tell of them; until the store is closed. */
  listen(): void;
  /** Whether hints of other processes come in now. */
  isListening(): boolean;
}

/** Tells of a hint within one process. */
export class LocalHints implements StoreHints {
  readonly #listeners = new Set<(hint: StoreHint) => void>();

  give(hint: StoreHint): void {
    for (const listener of this.#listeners) listener(hint);
  }

  onHint(listener: (hint: StoreHint) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  listen(): void {}

  isListening(): boolean {
    return false;
  }
}
