import { setTimeout } from "node:timers/promises";
import type { TimeCounts } from "../../runtime/time-counts.ts";
import { isLocked } from "./errors.ts";

/** How long anybody waits for another process to let go of a store's file, in milliseconds. */
export const lockWaitMsMax = 10_000;

/** After this time of waiting somebody at a terminal is told what for, in milliseconds. */
export const tellAfterMs = 1000;

/** How long this process waits for others, and who learns that it does. */
export interface LockWaiting {
  waitMsMax: number;
  /** Called when a wait has lasted a second. */
  onWait: () => void;
  /** Counts how long each caller waits that meets a lock. */
  waits?: TimeCounts;
}

/**
 * Tries again what another process keeps from being done by a lock on the file. SQLite itself would wait by blocking the
 * thread, and with it every request. Those who wait are served in the order in which they came: only the first of them
 * tries, and nobody who comes later gets in between (OP-184).
 */
export class LockQueue {
  readonly #waiting: symbol[] = [];
  readonly #options: LockWaiting;

  constructor(options: LockWaiting) {
    this.#options = options;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Gives what `attempt` gives. An attempt that throws that the file is locked has done nothing and is made again, until
   * the caller has waited `waitMs`, counted from `since` on the clock of `performance`; then its error is thrown.
   */
  async run<T>(
    attempt: () => Promise<T>,
    { since = performance.now(), waitMs = this.#options.waitMsMax } = {},
  ): Promise<T> {
    const giveUpAt = since + waitMs;
    if (this.#waiting.length === 0) {
      try {
        return await attempt();
      } catch (error) {
        if (!isLocked(error) || performance.now() >= giveUpAt) throw error;
      }
    }
    const ticket = Symbol();
    const waitsSince = performance.now();
    this.#waiting.push(ticket);
    try {
      return await this.#retry(attempt, ticket, giveUpAt);
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(ticket), 1);
      this.#options.waits?.addMs(performance.now() - waitsSince);
    }
  }

  async #retry<T>(attempt: () => Promise<T>, ticket: symbol, giveUpAt: number): Promise<T> {
    const tellAt = performance.now() + tellAfterMs;
    let isTold = false;
    for (let tries = 0; ; tries += 1) {
      await setTimeout(Math.min(2 ** tries, pauseMsMax));
      const now = performance.now();
      const isOverdue = now >= giveUpAt;
      if (!isTold && now >= tellAt) {
        isTold = true;
        this.#options.onWait();
      }
      // Whoever has waited long enough tries once more, because those before it may have come later than its end.
      if (this.#waiting[0] !== ticket && !isOverdue) continue;
      try {
        return await attempt();
      } catch (error) {
        if (isOverdue || !isLocked(error)) throw error;
      }
    }
  }
}

/** Longer pauses would leave the file unused after it was let go, shorter ones take CPU: a try takes 20 µs. */
const pauseMsMax = 25;
