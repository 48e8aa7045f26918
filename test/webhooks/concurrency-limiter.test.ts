import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createConcurrencyLimiter, slowAfterMs } from "../../src/webhooks/concurrency-limiter.ts";

describe("the admission of attempts", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** So many who ask; gives those who were let in, each with its way out. */
  const ask = (admit: ReturnType<typeof createConcurrencyLimiter>, count: number, isSlow: boolean) => {
    const admitted: (() => void)[] = [];
    for (let number = 0; number < count; number += 1) {
      void admit(isSlow).then((leave) => admitted.push(leave));
    }
    return admitted;
  };

  const settle = () => vi.advanceTimersByTimeAsync(0);

  it("lets 64 begin at once, and one more whenever one is over", async () => {
    const admitted = ask(createConcurrencyLimiter(), 100, false);
    await settle();
    expect(admitted).toHaveLength(64);
    for (const leave of admitted.splice(0, 10)) leave();
    await settle();
    expect(admitted).toHaveLength(64);
  });

  it("gives the places of those that turn out to be slow to others after a second", async () => {
    const admit = createConcurrencyLimiter();
    ask(admit, 64, false);
    await settle();
    const others = ask(admit, 30, false);
    await vi.advanceTimersByTimeAsync(slowAfterMs - 1);
    expect(others).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(others).toHaveLength(30);
  });

  it("lets slow ones begin beside the others, 64 at once, those counted that turned out to be slow", async () => {
    const admit = createConcurrencyLimiter();
    const found = ask(admit, 64, false);
    await vi.advanceTimersByTimeAsync(slowAfterMs);
    const foundLater = ask(admit, 6, false);
    await vi.advanceTimersByTimeAsync(slowAfterMs);
    const slow = ask(admit, 100, true);
    await settle();
    expect(slow).toHaveLength(0);
    for (const leave of foundLater) leave();
    await settle();
    expect(slow).toHaveLength(0);
    for (const leave of found) leave();
    await settle();
    expect(slow).toHaveLength(64);
    expect(ask(admit, 1, false)).toHaveLength(0);
    const quick = ask(admit, 64, false);
    await settle();
    expect(quick).toHaveLength(63);
  });
});
