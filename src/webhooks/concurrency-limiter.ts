import { Semaphore } from "./semaphore.ts";

/** Resolves when an attempt may begin; call what it gives, once, when the attempt is over. */
export type ConcurrencyLimiter = (isSlow: boolean) => Promise<() => void>;

/** An attempt that lasts longer, and a webhook whose last attempt did, is slow. */
export const slowAfterMs = 1000;
const attemptsMax = 64;
const slowAttemptsMax = 64;

/**
 * Decides when attempts begin: 64 at once, and 64 of webhooks that are slow. An attempt that turns out to be slow gives
 * its place to the next and counts among the slow ones from then on, so that slow and hanging receivers, however many,
 * hold back each other, and the others for a second at most.
 */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const places = new Semaphore(attemptsMax);
  const slowPlaces = new Semaphore(slowAttemptsMax);
  return async (isSlow) => {
    if (isSlow) return slowPlaces.take();
    let leave = await places.take();
    const moving = setTimeout(() => {
      leave();
      leave = slowPlaces.takeAtOnce();
    }, slowAfterMs);
    return () => {
      clearTimeout(moving);
      leave();
    };
  };
}
