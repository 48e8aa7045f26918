import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startPoller } from "../../src/webhooks/poller.ts";

describe("looking for what is due", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A poller whose looks last until `end` is called. */
  const start = (rests = () => false) => {
    const ends: (() => void)[] = [];
    let hint = () => {};
    const stopListening = vi.fn();
    const poller = startPoller(
      () => new Promise<void>((resolve) => void ends.push(resolve)),
      (onHint) => {
        hint = onHint;
        return stopListening;
      },
      { rests },
    );
    return { poller, ends, stopListening, hint: () => hint() };
  };

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it("looks at once and then once a second", async () => {
    const { ends, poller } = start();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await pass(999);
    expect(ends).toHaveLength(1);
    await pass(1);
    expect(ends).toHaveLength(2);
    poller.stop();
  });

  it("looks while it rests for nothing but what it hears of, and once a second again after it", async () => {
    let isResting = true;
    const { ends, hint, poller } = start(() => isResting);
    ends[0]?.();
    await pass(60_000);
    expect(ends).toHaveLength(1);
    hint();
    await pass(20);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    isResting = false;
    await pass(1000);
    expect(ends).toHaveLength(3);
    poller.stop();
  });

  it("looks once more, however many commits it heard of during a look, and never twice at the same time", async () => {
    const { ends, hint, poller } = start();
    for (let commit = 0; commit < 5; commit += 1) hint();
    await pass(500);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await pass(20);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await pass(20);
    expect(ends).toHaveLength(2);
    poller.stop();
  });

  it("begins no look once it is stopped, and settles when the last one has ended", async () => {
    const { ends, hint, poller, stopListening } = start();
    hint();
    poller.stop();
    expect(stopListening).toHaveBeenCalledOnce();
    let isSettled = false;
    void poller.settled().then(() => {
      isSettled = true;
    });
    await pass(100);
    expect(isSettled).toBe(false);
    ends[0]?.();
    await pass(3000);
    expect(isSettled).toBe(true);
    expect(ends).toHaveLength(1);
  });
});
