import { type Timestamp, toEpochMs } from "../../runtime/clock.ts";

interface ScheduleClock {
  wallMs(): number;
  steadyMs(): number;
}

/** The pause after the first failure. It doubles with each further failure, up to the interval of backups. */
const retryMs = 60_000;

/**
 * Decides when the next backup is due: one interval after the newest, by the wall clock or by the steady clock,
 * whichever comes first. So a backup that was due while the machine slept starts at once, and a clock that was set back
 * delays none by more than the interval.
 */
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
