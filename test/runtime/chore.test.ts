import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startChore } from "../../src/runtime/chore.ts";

const firstAfterMs = 1_000;
const everyMs = 10_000;

describe("a background task", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs soon after the start, and then repeatedly", async () => {
    const { count } = start(async () => undefined);
    await vi.advanceTimersByTimeAsync(firstAfterMs - 1);
    expect(count()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(count()).toBe(1);
    await vi.advanceTimersByTimeAsync(2 * everyMs);
    expect(count()).toBe(3);
  });

  it("never overlaps itself, however long a run takes", async () => {
    const work = makeWork();
    const { count } = start(() => work.promise);
    await vi.advanceTimersByTimeAsync(firstAfterMs + 5 * everyMs);
    expect(count()).toBe(1);
    work.end();
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(count()).toBe(2);
  });

  it("reports a failed run, and runs again", async () => {
    const fault = new Error("The store is away.");
    const { count, faults } = start(() => Promise.reject(fault));
    await vi.advanceTimersByTimeAsync(firstAfterMs + everyMs);
    expect(count()).toBe(2);
    expect(faults).toEqual([fault, fault]);
  });

  it("stops before its first run, and between two runs", async () => {
    const early = start(async () => undefined);
    await early.chore.stop();
    const later = start(async () => undefined);
    await vi.advanceTimersByTimeAsync(firstAfterMs);
    await later.chore.stop();
    await vi.advanceTimersByTimeAsync(firstAfterMs + everyMs);
    expect([early.count(), later.count()]).toEqual([0, 1]);
  });

  it("signals a stop to the current run, and stops when that run has ended", async () => {
    const work = makeWork();
    const seen: boolean[] = [];
    const { chore, count } = start(async (isStopped) => {
      await work.promise;
      seen.push(isStopped());
    });
    await vi.advanceTimersByTimeAsync(firstAfterMs);
    let hasStopped = false;
    const stopping = chore.stop().then(() => {
      hasStopped = true;
    });
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(hasStopped).toBe(false);
    work.end();
    await stopping;
    await vi.advanceTimersByTimeAsync(2 * everyMs);
    expect(seen).toEqual([true]);
    expect(count()).toBe(1);
  });
});

function start(run: (isStopped: () => boolean) => Promise<void>) {
  const faults: unknown[] = [];
  let runs = 0;
  const counted = (isStopped: () => boolean) => {
    runs += 1;
    return run(isStopped);
  };
  const onFault = (error: unknown) => void faults.push(error);
  return { chore: startChore(counted, { firstAfterMs, everyMs, onFault }), count: () => runs, faults };
}

function makeWork(): { promise: Promise<void>; end: () => void } {
  let end: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end: () => end() };
}
