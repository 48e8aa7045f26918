import { vi } from "vitest";
import { patienceMs } from "./patience.ts";

/** Retries until the work does not throw. Returns its result. */
export const eventually = <T>(work: () => Promise<T> | T, interval = 20): Promise<T> =>
  vi.waitFor(work, { interval, timeout: patienceMs });

/** The same with a time limit, for a result that another mechanism would produce later. */
export const within = <T>(limitMs: number, work: () => Promise<T> | T): Promise<T> =>
  vi.waitFor(work, { interval: 20, timeout: limitMs });

/** Retries until `look` returns a truthy value. Returns that value. */
export const until = <T>(look: () => Promise<T> | T, interval = 20) =>
  vi.waitUntil(look, { interval, timeout: patienceMs });
