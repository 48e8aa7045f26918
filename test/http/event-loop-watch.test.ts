import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { watchEventLoop } from "../../src/http/event-loop-watch.ts";

type Line = { level: number; maxMs: number; msg: string; p99Ms: number };

function watch() {
  const lines: Line[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  return { lines, watched: watchEventLoop(log) };
}

/** Holds the thread. */
function hold(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("the watch of the event loop", () => {
  it("warns when one piece of work held it for long, and tells the longest delay at the end", async () => {
    const { lines, watched } = watch();
    await sleep(50);
    hold(400);
    await sleep(50);
    // While it goes on, the longest is told in seconds.
    expect(watched.read().max).toBeGreaterThan(0.35);
    watched.stop();
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, "event loop held"],
      [30, "event loop"],
    ]);
    for (const { maxMs } of lines) expect(maxMs).toBeGreaterThan(350);
  });

  it("says nothing more than that at the end when it was not held", async () => {
    const { lines, watched } = watch();
    watched.stop();
    expect(lines).toMatchObject([{ level: 30, maxMs: 0, msg: "event loop" }]);
    await sleep(1);
  });
});
