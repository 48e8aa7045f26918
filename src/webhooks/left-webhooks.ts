import { LRUCache } from "lru-cache";

const leftMs = 15_000;
const roundMs = 60_000;
const webhooksMax = 10_000;

/** Whether another worker that may reach private addresses was alive after this time of `performance.now`. */
type SawReachingSince = (ms: number) => boolean;

/** Webhooks left for 15 s to a worker that may reach private addresses. Without such a worker, they fail. */
export class LeftWebhooks {
  readonly #sinceMs = new LRUCache<number, number>({ max: webhooksMax });
  readonly #sawReachingSince: SawReachingSince;
  readonly #now: () => number;

  constructor(sawReachingSince: SawReachingSince, now = () => performance.now()) {
    this.#sawReachingSince = sawReachingSince;
    this.#now = now;
  }

  has(hookId: number): boolean {
    return this.#ageOf(hookId) < leftMs;
  }

  /** Returns false if no other worker came: the delivery has failed. */
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
