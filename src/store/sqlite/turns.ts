/** Lets callers work one after another, in the order in which they came: a file has one connection. */
export class Turns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Whether somebody waits for a turn. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when it is the caller's turn, which lasts until the caller calls `release`. */
  async take(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => void this.#waiting.push(resolve));
    this.#isTaken = true;
  }

  /** Hands the turn over to the next, so that nobody who comes now gets in between. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }

  /** Runs `work` when it is the caller's turn. */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    await this.take();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
