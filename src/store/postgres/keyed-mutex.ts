import { failure } from "../../errors/errors.ts";

/** Lets those who name the same key work one after another, in the order in which they came. */
export class KeyedMutex {
  readonly #waitMsMax: number;
  readonly #last = new Map<number, Promise<void>>();

  constructor(waitMsMax: number) {
    this.#waitMsMax = waitMsMax;
  }

  /** Runs `work` when all who came before are done. Throws store_unavailable when that takes too long. */
  async take<T>(key: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    let finish = () => {};
    const mine = new Promise<void>((resolve) => {
      finish = resolve;
    });
    // Those who give up pass their turn on when it comes.
    const after = before !== undefined ? before.then(() => mine) : mine;
    this.#last.set(key, after);
    try {
      if (before !== undefined) await this.#wait(before);
      return await work();
    } finally {
      finish();
      if (this.#last.get(key) === after) this.#last.delete(key);
    }
  }

  async #wait(before: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(failure("store_unavailable", "Too many changes of one tenant are waiting.")),
        this.#waitMsMax,
      );
    });
    try {
      await Promise.race([before, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }
}
