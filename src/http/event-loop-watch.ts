import { monitorEventLoopDelay } from "node:perf_hooks";
import type { JsonLog } from "../runtime/json-log.ts";

/** How often the delay is sampled, in ms: what is shorter is not seen. It costs a timer, 0.03 % of a processor. */
const resolutionMs = 10;
const windowMs = 10_000;
const heldMsMin = 250;

/** Ends the watch, and logs the longest delay of the whole time. */
export type StopWatch = () => void;

/**
 * Watches how long the thread that answers requests is held by one piece of work (OP-182): a warning when it was for more than
 * 250 ms, one in 10 s at most; and when the watch ends, the longest delay, and the 99th percentile of the worst 10 s.
 */
export function watchEventLoop(log: JsonLog, everyMs = windowMs): StopWatch {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  let maxMs = 0;
  let p99Ms = 0;
  const look = () => {
    // Each sample is the time from one tick of the timer to the next.
    const toMs = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e6) - resolutionMs);
    const seen = { max_ms: toMs(delays.max), p99_ms: toMs(delays.percentile(99)) };
    delays.reset();
    maxMs = Math.max(maxMs, seen.max_ms);
    p99Ms = Math.max(p99Ms, seen.p99_ms);
    if (seen.max_ms > heldMsMin) log.warn(seen, "event loop held");
  };
  delays.enable();
  const timer = setInterval(look, everyMs).unref();
  return () => {
    clearInterval(timer);
    look();
    delays.disable();
    log.info({ max_ms: maxMs, p99_ms: p99Ms }, "event loop");
  };
}
