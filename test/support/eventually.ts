import { vi } from "vitest";
import { patienceMs } from "./patience.ts";

/** Tries until it does not throw, and gives what came of it. */
export const eventually = <T>(work: () => Promise<T> | T, interval = 20): Promise<T> =>
  vi.waitFor(work, { interval, timeout: patienceMs });

/** The same with an exact limit, where waiting longer would make it true by other means. */
export const within = <T>(limitMs: number, work: () => Promise<T> | T): Promise<T> =>
  vi.waitFor(work, { interval: 20, timeout: limitMs });

/** Looks until there is something, and gives it. */
export const until = <T>(look: () => Promise<T> | T, interval = 20) =>
  vi.waitUntil(look, { interval, timeout: patienceMs });
