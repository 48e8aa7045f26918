import { failure } from "../../errors/errors.ts";
import { TimeCounts } from "../../runtime/time-counts.ts";

interface Limits {
  sharedMax: number;
  waitMsMax: number;
}

/** A readers-writer lock for each key, first come, first served, so that no caller starves. */
export class KeyedLock {
  readonly #limits: Limits;
  readonly #waits: TimeCounts;
  readonly #locks = new Map<number, Lock>();

  constructor(limits: Limits, waits = new TimeCounts([])) {
    this.#limits = limits;
    this.#waits = waits;
  }

  get waiting(): number {
    let all = 0;
    for (const { waiting } of this.#locks.values()) all += waiting.length;
    return all;
  }

  runAlone<T>(key: number, work: () => Promise<T>): Promise<T> {
    return this.#run(key, false, work);
  }

  /** Others may share the lock, up to a limit. Throws store_unavailable after the time limit. */
  runShared<T>(key: number, work: () => Promise<T>): Promise<T> {
    return this.#run(key, true, work);
  }

  async #run<T>(key: number, isShared: boolean, work: () => Promise<T>): Promise<T> {
    const lock: Lock = this.#locks.get(key) ?? { sharing: 0, isAlone: false, waiting: [] };
    this.#locks.set(key, lock);
    const since = performance.now();
    await this.#acquire(lock, isShared).finally(() => this.#waits.addMs(performance.now() - since));
    try {
      return await work();
    } finally {
      if (isShared) lock.sharing -= 1;
      else lock.isAlone = false;
      this.#admit(lock);
      if (lock.sharing === 0 && !lock.isAlone) this.#locks.delete(key);
    }
  }

  #acquire(lock: Lock, isShared: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        lock.waiting.splice(lock.waiting.indexOf(waiter), 1);
        // Later callers may have waited only for this one.
        this.#admit(lock);
        reject(failure("store_unavailable", "Too many changes of one tenant are waiting."));
      }, this.#limits.waitMsMax);
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiter: Waiter = { isShared, enter };
      lock.waiting.push(waiter);
      this.#admit(lock);
    });
  }

  #admit(lock: Lock): void {
    for (let next = lock.waiting[0]; next; next = lock.waiting[0]) {
      const isFree =
        !lock.isAlone && (next.isShared ? lock.sharing < this.#limits.sharedMax : lock.sharing === 0);
      if (!isFree) return;
      if (next.isShared) lock.sharing += 1;
      else lock.isAlone = true;
      lock.waiting.shift();
      next.enter();
    }
  }
}

interface Lock {
  sharing: number;
  isAlone: boolean;
  waiting: Waiter[];
}

interface Waiter {
  isShared: boolean;
  enter(): void;
}
