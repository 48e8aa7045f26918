import { monitorEventLoopDelay } from "node:perf_hooks";
import type { JsonLog } from "../runtime/json-log.ts";

/** Shorter delays are not seen. Sampling costs 0.03 % of a CPU. */
const resolutionMs = 10;
const windowMs = 10_000;
const heldMsMin = 250;

/** The worst delay of about the last minute, in seconds. */
export interface LoopDelay {
  p50: number;
  p99: number;
  max: number;
}

export interface EventLoopWatch {
  read(): LoopDelay;
  stop(): void;
}

const windowsTold = 6;

/** Measures how long work blocks the event loop. Warns above 250 ms, at most once in 10 s. */
export function watchEventLoop(log: JsonLog, everyMs = windowMs): EventLoopWatch {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  let maxMs = 0;
  let p99Ms = 0;
  let windows: LoopDelay[] = [];
  const read = (): LoopDelay => {
    const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
    if (delays.count === 0) return { p50: 0, p99: 0, max: 0 };
    const { max } = delays;
    return {
      p50: toSeconds(delays.percentile(50)),
      p99: toSeconds(delays.percentile(99)),
      max: toSeconds(max),
    };
  };
  const look = () => {
    // A sample is the time between two ticks of the timer.
    const toMs = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e6) - resolutionMs);
    const seen = { max_ms: toMs(delays.max), p99_ms: toMs(delays.percentile(99)) };
    windows = [...windows, read()].slice(-windowsTold);
    delays.reset();
    maxMs = Math.max(maxMs, seen.max_ms);
    p99Ms = Math.max(p99Ms, seen.p99_ms);
    if (seen.max_ms > heldMsMin) log.warn(seen, "event loop held");
  };
  delays.enable();
  const timer = setInterval(look, everyMs).unref();
  return {
    read() {
      const all = [...windows, read()];
      const worst = (part: keyof LoopDelay) => Math.max(...all.map((window) => window[part]));
      return { p50: worst("p50"), p99: worst("p99"), max: worst("max") };
    },
    stop() {
      clearInterval(timer);
      look();
      delays.disable();
      log.info({ max_ms: maxMs, p99_ms: p99Ms }, "event loop");
    },
  };
}
