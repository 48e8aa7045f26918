import { LRUCache } from "lru-cache";

const leftMs = 15_000;
const roundMs = 60_000;
/** How many webhooks are remembered; one that is forgotten is left once more. */
const webhooksMax = 10_000;

/** Tells whether another worker that may reach private addresses was alive since a moment, by `performance.now`. */
type SawReachingSince = (ms: number) => boolean;

/**
 * The webhooks whose deliveries this worker leaves to one that may reach private addresses. A delivery that the
 * guard refused is due again, and this worker keeps away from its webhook for 15 s, in which the other takes it. When no
 * such worker showed itself by then, what is refused in the rest of the minute has failed.
 */
export class LeftWebhooks {
  readonly #sinceMs = new LRUCache<number, number>({ max: webhooksMax });
  readonly #sawReachingSince: SawReachingSince;
  readonly #now: () => number;

  constructor(sawReachingSince: SawReachingSince, now = () => performance.now()) {
    this.#sawReachingSince = sawReachingSince;
    this.#now = now;
  }

  /** Whether this worker keeps away from the webhook now. */
  has(hookId: number): boolean {
    return this.#ageOf(hookId) < leftMs;
  }

  /** Whether a delivery of the webhook that was refused just now is left to another worker; false: it has failed. */
  leave(hookId: number): boolean {
    const ageMs = this.#ageOf(hookId);
    if (ageMs < leftMs) return true;
    if (ageMs < roundMs && !this.#sawReachingSince(this.#now() - ageMs)) return false;
    this.#sinceMs.set(hookId, this.#now());
    return true;
  }

  #ageOf(hookId: number): number {
    const sinceMs = this.#sinceMs.get(hookId);
    return sinceMs === undefined ? Number.POSITIVE_INFINITY : this.#now() - sinceMs;
  }
}
