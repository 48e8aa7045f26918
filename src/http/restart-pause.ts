const pauseMsMin = 100;
const pauseMsMax = 30_000;

/** A process that served for so long failed by something new. */
const servedMsEnough = 60_000;

/**
 * Gives how long to wait before a process that ended is started again, by how long it served: from 0.1 s on twice as long
 * each time, up to 30 s, and 0.1 s again after it served for a minute. A random part of up to half is taken off, so that
 * processes that ended together do not start together.
 */
export function createRestartPause(random: () => number = Math.random): (servedMs: number) => number {
  let nextMs = pauseMsMin;
  return (servedMs) => {
    if (servedMs >= servedMsEnough) nextMs = pauseMsMin;
    const pauseMs = nextMs * (1 - random() / 2);
    nextMs = Math.min(nextMs * 2, pauseMsMax);
    return pauseMs;
  };
}
