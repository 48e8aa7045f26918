import { Semaphore } from "async-mutex";

/** Resolves when an attempt may begin; call what it gives, once, when the attempt is over. */
export type ConcurrencyLimiter = (isSlow: boolean) => Promise<() => void>;

/** An attempt that lasts longer than this is slow, and so is a webhook whose last attempt was. */
export const slowAfterMs = 1000;
const attemptsMax = 64;
const slowAttemptsMax = 64;

/**
 * Decides when attempts begin: 64 at once, and beside them 64 to slow webhooks. An attempt that lasts longer than a
 * second frees its permit for the next attempt and counts as a slow one from then on. So slow and hanging receivers,
 * however many, hold back each other, and the others for a second at most.
 */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const permits = new Semaphore(attemptsMax);
  const slowPermits = new Semaphore(slowAttemptsMax);
  return async (isSlow) => {
    let [, release] = await (isSlow ? slowPermits : permits).acquire();
    if (isSlow) return release;
    const moving = setTimeout(() => {
      release();
      release = overcommit(slowPermits);
    }, slowAfterMs);
    return () => {
      clearTimeout(moving);
      release();
    };
  };
}

/**
 * Takes a permit even if none is free: the attempt runs already. The count falls below zero then, and the semaphore
 * lets nobody in before as many permits were released.
 */
function overcommit(semaphore: Semaphore): () => void {
  semaphore.setValue(semaphore.getValue() - 1);
  return () => semaphore.release();
}
