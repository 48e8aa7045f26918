import { E_TIMEOUT, Mutex, type MutexInterface, withTimeout } from "async-mutex";
import { failure } from "../../errors/errors.ts";

/** One mutex for each key: callers with the same key work one after another, in the order in which they came. */
export class KeyedMutex {
  readonly #waitMsMax: number;
  readonly #mutexes = new Map<number, MutexInterface>();

  constructor(waitMsMax: number) {
    this.#waitMsMax = waitMsMax;
  }

  /** Runs `work` when all earlier callers with the key are done. Throws store_unavailable when that takes too long. */
  async runExclusive<T>(key: number, work: () => Promise<T>): Promise<T> {
    const mutex = this.#mutexOf(key);
    const release = await mutex.acquire().catch((error: unknown) => {
      if (error !== E_TIMEOUT) throw error;
      throw failure("store_unavailable", "Too many changes of one tenant are waiting.");
    });
    try {
      return await work();
    } finally {
      release();
      // The next caller, if there is one, holds the mutex by now.
      if (!mutex.isLocked()) this.#mutexes.delete(key);
    }
  }

  #mutexOf(key: number): MutexInterface {
    const mutex = this.#mutexes.get(key) ?? withTimeout(new Mutex(), this.#waitMsMax);
    this.#mutexes.set(key, mutex);
    return mutex;
  }
}
