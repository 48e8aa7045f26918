import { TimeCounts } from "../../runtime/time-counts.ts";

/** Lets callers work one after another, in the order in which they came: a file has one connection. */
export class Turns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];
  readonly #waits: TimeCounts;

  /** Counts how long callers wait. */
  constructor(waits = new TimeCounts([])) {
    this.#waits = waits;
  }

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** How many wait for a turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether somebody waits for a turn. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when it is the caller's turn, which lasts until the caller calls `release`. */
  async take(): Promise<void> {
    if (this.#isTaken) return this.#wait();
    this.#isTaken = true;
    this.#waits.addNone();
  }

  async #wait(): Promise<void> {
    const since = performance.now();
    await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#waits.addMs(performance.now() - since);
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
