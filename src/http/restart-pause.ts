const pauseMsMin = 100;
const pauseMsMax = 30_000;

/** While no process is left that could serve, nobody waits longer than this for the next one. */
const loneMsMax = 2_000;

/** A process that served for so long failed by something new. */
const servedMsEnough = 60_000;

/** A process that served is missed no longer than this part of that time, so that most of its place's time is served. */
const missedPart = 1 / 4;

/**
 * Gives how long to wait before a process that ended is started again, by how long it served: from 0.1 s on twice as long
 * each time, up to 30 s, and 0.1 s again after it served for a minute. A random part of up to half is taken off, so that
 * processes that ended together do not start together. It is never longer than a quarter of the time that the process
 * served, if it did, and two seconds at most when the one that ended was the last (OP-361).
 */
export function createRestartPause(random: () => number = Math.random): RestartPause {
  let nextMs = pauseMsMin;
  return (servedMs, wasLast) => {
    if (servedMs >= servedMsEnough) nextMs = pauseMsMin;
    const mostMs = servedMs === 0 ? pauseMsMax : Math.max(pauseMsMin, servedMs * missedPart);
    const pauseMs = Math.min(nextMs, mostMs, wasLast ? loneMsMax : pauseMsMax) * (1 - random() / 2);
    nextMs = Math.min(nextMs * 2, pauseMsMax);
    return pauseMs;
  };
}

/** How long to wait before a process that served for so long is started again; `wasLast`: none is left beside it. */
type RestartPause = (servedMs: number, wasLast: boolean) => number;
