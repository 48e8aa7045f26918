import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createConcurrencyLimiter, slowAfterMs } from "../../src/webhooks/endpoint-queue.ts";

describe("the admission of attempts", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** So many attempts of a tenant; gives those that were let in, each with its way out. */
  const ask = (
    admit: ReturnType<typeof createConcurrencyLimiter>,
    count: number,
    isSlow: boolean,
    tenantId = 1,
  ) => {
    const admitted: (() => void)[] = [];
    for (let number = 0; number < count; number += 1) {
      void admit(tenantId, isSlow).then((leave) => admitted.push(leave));
    }
    return admitted;
  };

  const settle = () => vi.advanceTimersByTimeAsync(0);

  it("lets 48 of a tenant begin at once, and one more whenever one is over", async () => {
    const admitted = ask(createConcurrencyLimiter(), 100, false);
    await settle();
    expect(admitted).toHaveLength(48);
    for (const leave of admitted.splice(0, 10)) leave();
    await settle();
    expect(admitted).toHaveLength(48);
  });

  it("lets 64 begin at once in all, the last 16 of tenants that have none under way", async () => {
    const admit = createConcurrencyLimiter();
    ask(admit, 100, false, 1);
    const others = Array.from({ length: 20 }, (_, index) => ask(admit, 2, false, index + 2));
    await settle();
    expect(others.map(({ length }) => length)).toEqual([...Array(16).fill(1), ...Array(4).fill(0)]);
  });

  it("gives what comes free to the tenant that has the fewest under way, until they have as many", async () => {
    const admit = createConcurrencyLimiter();
    const many = ask(admit, 200, false, 1);
    await settle();
    const few = ask(admit, 200, false, 2);
    for (let over = 0; over < 400; over += 1) {
      many.shift()?.();
      await settle();
      few.shift()?.();
      await settle();
      if (many.length === few.length) break;
    }
    expect([many.length, few.length]).toEqual([24, 24]);
  });

  it("gives the places of those that turn out to be slow to others after a second", async () => {
    const admit = createConcurrencyLimiter();
    ask(admit, 48, false);
    await settle();
    const others = ask(admit, 30, false);
    await vi.advanceTimersByTimeAsync(slowAfterMs - 1);
    expect(others).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(others).toHaveLength(30);
  });

  it("lets slow ones begin beside the others, 48 of a tenant, those counted that turned out to be slow", async () => {
    const admit = createConcurrencyLimiter();
    const found = ask(admit, 48, false);
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
    expect(slow).toHaveLength(48);
    expect(ask(admit, 1, false)).toHaveLength(0);
    const quick = ask(admit, 64, false);
    await settle();
    expect(quick).toHaveLength(47);
  });

  it("lets slow ones of a tenant begin, however many of another turned out to be slow", async () => {
    const admit = createConcurrencyLimiter();
    for (let second = 0; second < 10; second += 1) {
      ask(admit, 48, false, 1);
      await vi.advanceTimersByTimeAsync(slowAfterMs);
    }
    const other = ask(admit, 1, true, 2);
    await settle();
    expect(other).toHaveLength(1);
  });
});
