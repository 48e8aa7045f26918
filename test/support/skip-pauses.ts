import { vi } from "vitest";

/** Ends each pause of 1 to 30 seconds at once until the test is over. Returns the pauses so far, in milliseconds. */
export function skipPauses(): readonly number[] {
  const pauses: number[] = [];
  const start = globalThis.setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: (...values: unknown[]) => void,
    ms = 0,
    ...values: unknown[]
  ) => {
    const isPause = ms >= 1000 && ms <= 30_000;
    if (isPause) pauses.push(ms);
    return start(run, isPause ? 0 : ms, ...values);
  }) as typeof setTimeout);
  return pauses;
}
