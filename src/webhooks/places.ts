/** A number of places that are taken and given back, first come first served. */
export class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when there is a place; call what it gives, once, to give it back. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      // Handed on, so that nobody who comes now overtakes.
      if (next) next();
      else this.#free += 1;
    };
  }
}
