import { LRUCache } from "lru-cache";

const leftMs = 15_000;
const roundMs = 60_000;
const webhooksMax = 10_000;

/** Whether another worker that may reach private addresses was alive since a moment of `performance.now`. */
type SawReachingSince = (ms: number) => boolean;

/**
 * The webhooks whose deliveries this worker leaves to another worker that may reach private addresses. A refused
 * delivery becomes due again. This worker skips its webhook for 15 s, so that the other worker can claim it. If no
 * such worker appears, refused deliveries fail for the rest of the minute.
 */
export class LeftWebhooks {
  readonly #sinceMs = new LRUCache<number, number>({ max: webhooksMax });
  readonly #sawReachingSince: SawReachingSince;
  readonly #now: () => number;

  constructor(sawReachingSince: SawReachingSince, now = () => performance.now()) {
    this.#sawReachingSince = sawReachingSince;
    this.#now = now;
  }

  /** Whether this worker skips the webhook now. */
  has(hookId: number): boolean {
    return this.#ageOf(hookId) < leftMs;
  }

  /** Leaves a refused delivery to another worker; false when the delivery has failed. */
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
