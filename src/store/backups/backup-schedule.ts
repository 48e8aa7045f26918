import { type Timestamp, toEpochMs } from "../../runtime/clock.ts";

/** The times of a schedule: of the wall, which can be set, and one that only goes on. Both in milliseconds. */
export interface ScheduleClock {
  wallMs(): number;
  steadyMs(): number;
}

/** How long a failure makes wait at first; twice as long after each other one, up to the distance of backups. */
const retryMs = 60_000;

/**
 * Says when the next backup is due: so long after the newest was made, by the clock on the wall or by the steady one,
 * whichever comes first. So one that was due while the machine slept is made at once, and a clock that is set back
 * holds none up for longer than the distance.
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

  /** Milliseconds until the next backup is due, where `newest` was made last; 0 when it is. */
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
