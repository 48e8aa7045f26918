import { type Timestamp, toEpochMs } from "../../runtime/clock.ts";

interface ScheduleClock {
  wallMs(): number;
  steadyMs(): number;
}

/** The delay after the first failure. Each failure doubles it, up to the interval. */
const retryMs = 60_000;

/** A backup is due one interval after the newest, by the wall clock or the steady clock, whichever is first. */
export class BackupSchedule {
  readonly #everyMs: number;
  readonly #clock: ScheduleClock;
  #newest: Timestamp | null = null;
  #seenMs: number;
  #failures = 0;
  #triedMs = Number.NEGATIVE_INFINITY;

  constructor(everyMs: number, clock: ScheduleClock) {
    this.#everyMs = everyMs;
    this.#clock = clock;
    this.#seenMs = clock.steadyMs();
  }

  dueInMs(newest: Timestamp | null): number {
    const now = this.#clock.steadyMs();
    if (newest !== this.#newest) {
      this.#newest = newest;
      this.#seenMs = now;
    }
    const pauseMs = this.#triedMs + this.#retryInMs() - now;
    if (newest === null) return Math.max(0, pauseMs);
    const byWall = toEpochMs(newest) + this.#everyMs - this.#clock.wallMs();
    const bySteady = this.#seenMs + this.#everyMs - now;
    return Math.max(0, pauseMs, Math.min(byWall, bySteady));
  }

  noteFailure(): void {
    this.#failures += 1;
    this.#triedMs = this.#clock.steadyMs();
  }

  noteSuccess(): void {
    this.#failures = 0;
  }

  #retryInMs(): number {
    return this.#failures === 0 ? 0 : Math.min(this.#everyMs, retryMs * 2 ** (this.#failures - 1));
  }
}
