/** A number of places that are taken and given back, first come first served. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when there is a place; call what it gives, once, to give it back. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => this.#release();
  }

  /** Takes a place though there may be none: those who come wait until it is made up for. */
  takeAtOnce(): () => void {
    this.#free -= 1;
    return () => this.#release();
  }

  #release(): void {
    const next = this.#free < 0 ? undefined : this.#waiting.shift();
    // Handed on, so that nobody who comes now overtakes.
    if (next) next();
    else this.#free += 1;
  }
}
