import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { KeyedLock } from "../../src/store/postgres/keyed-lock.ts";

const open = (limits: { sharedMax?: number; waitMsMax?: number } = {}) =>
  new KeyedLock({ sharedMax: 2, waitMsMax: 1000, ...limits });

/** Runs works that tell when they begin and end. */
function createLog() {
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await pause(5);
    log.push(`${name} ends`);
  };
  return { log, work };
}

describe("the writers of a tenant", () => {
  it("work one after another when each wants to be alone, in the order in which they came", async () => {
    const lock = open();
    const { log, work } = createLog();
    await Promise.all(["a", "b", "c"].map((name) => lock.runAlone(1, work(name))));
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("work side by side when they share, up to a number", async () => {
    const lock = open();
    const { log, work } = createLog();
    await Promise.all(["a", "b", "c"].map((name) => lock.runShared(1, work(name))));
    expect(log.slice(0, 3)).toEqual(["a begins", "b begins", "a ends"]);
    expect(log.indexOf("c begins")).toBeGreaterThan(log.indexOf("a ends"));
  });

  it("wait for who is alone, and who wants to be alone waits for them and is not passed by later ones", async () => {
    const lock = open();
    const { log, work } = createLog();
    await Promise.all([
      lock.runShared(1, work("a")),
      lock.runAlone(1, work("b")),
      lock.runShared(1, work("c")),
    ]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("do not wait for the writers of another tenant", async () => {
    const lock = open();
    const { first, finish } = hold(lock, 1);
    expect(await lock.runAlone(2, async () => "done")).toBe("done");
    finish();
    await first;
  });

  it("give up as store_unavailable after the longest wait, and those behind them still get their turn", async () => {
    const lock = open({ waitMsMax: 20 });
    const { first, finish } = hold(lock, 1);
    for (const wait of [lock.runAlone(1, async () => "never"), lock.runShared(1, async () => "never")])
      await expect(wait).rejects.toMatchObject({ code: "store_unavailable" });
    const third = lock.runAlone(1, async () => "third");
    finish();
    await first;
    expect(await third).toBe("third");
  });

  it("let in who shares with those at work when the one in between gives up", async () => {
    const lock = open({ waitMsMax: 100 });
    let finish = () => {};
    const first = lock.runShared(1, () => new Promise<void>((resolve) => (finish = resolve)));
    const refused = expect(lock.runAlone(1, async () => "never")).rejects.toMatchObject({
      code: "store_unavailable",
    });
    await pause(50);
    expect(await lock.runShared(1, async () => "beside")).toBe("beside");
    await refused;
    finish();
    await first;
  });

  it("let the next one in after a failure", async () => {
    const lock = open();
    for (const run of [lock.runAlone.bind(lock), lock.runShared.bind(lock)]) {
      const failing = run(1, async () => {
        throw new Error("no");
      });
      const next = lock.runAlone(1, async () => "next");
      await expect(failing).rejects.toThrow("no");
      expect(await next).toBe("next");
    }
  });
});

/** A writer that works alone until `finish` is called. */
function hold(lock: KeyedLock, key: number) {
  let finish = () => {};
  const first = lock.runAlone(key, () => new Promise<void>((resolve) => (finish = resolve)));
  return { first, finish: () => finish() };
}
