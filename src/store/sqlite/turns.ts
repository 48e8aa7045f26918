import { TimeCounts } from "../../runtime/time-counts.ts";

export class Turns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];
  readonly #waits: TimeCounts;

  constructor(waits = new TimeCounts([])) {
    this.#waits = waits;
  }

  get isTaken(): boolean {
    return this.#isTaken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async take(waitMs?: number): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      this.#waits.addNone();
      return true;
    }
    const since = performance.now();
    const isTurn = await new Promise<boolean>((resolve) => {
      const enter = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve(false);
      };
      const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs);
      this.#waiting.push(enter);
    });
    this.#waits.addMs(performance.now() - since);
    return isTurn;
  }

  /** Gives the turn directly to the next caller, so that no new caller takes it first. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }

  async run<T>(work: () => T | Promise<T>): Promise<T> {
    await this.take();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
