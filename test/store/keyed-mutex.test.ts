import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { KeyedMutex } from "../../src/store/postgres/keyed-mutex.ts";

describe("the writers of a tenant", () => {
  it("work one after another, in the order in which they came", async () => {
    const mutex = new KeyedMutex(1000);
    const log: string[] = [];
    const write = (name: string) =>
      mutex.runExclusive(1, async () => {
        log.push(`${name} begins`);
        await pause(5);
        log.push(`${name} ends`);
      });
    await Promise.all([write("a"), write("b"), write("c")]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("do not wait for the writers of another tenant", async () => {
    const mutex = new KeyedMutex(1000);
    const { first, finish } = hold(mutex, 1);
    expect(await mutex.runExclusive(2, async () => "done")).toBe("done");
    finish();
    await first;
  });

  it("give up as store_unavailable after the longest wait, and those behind them still get their turn", async () => {
    const mutex = new KeyedMutex(20);
    const { first, finish } = hold(mutex, 1);
    const second = mutex.runExclusive(1, async () => "never");
    await expect(second).rejects.toMatchObject({ code: "store_unavailable" });
    const third = mutex.runExclusive(1, async () => "third");
    finish();
    await first;
    expect(await third).toBe("third");
  });

  it("let the next one in after a failure", async () => {
    const mutex = new KeyedMutex(1000);
    const failing = mutex.runExclusive(1, async () => {
      throw new Error("no");
    });
    const next = mutex.runExclusive(1, async () => "next");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("next");
  });
});

/** A writer that works until `finish` is called. */
function hold(mutex: KeyedMutex, key: number) {
  let finish = () => {};
  const first = mutex.runExclusive(
    key,
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  return { first, finish: () => finish() };
}
