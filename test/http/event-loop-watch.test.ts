import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { watchEventLoop } from "../../src/http/event-loop-watch.ts";
import { openJsonLog } from "../../src/runtime/json-log.ts";

type Line = { level: string; max_ms: number; msg: string; p99_ms: number };

function watch() {
  const lines: Line[] = [];
  const log = openJsonLog("info", { write: (line) => lines.push(JSON.parse(line)) });
  return { lines, watched: watchEventLoop(log) };
}

function hold(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("the watch of the event loop", () => {
  it("warns of one long delay, and reports the longest delay at the end", async () => {
    const { lines, watched } = watch();
    await sleep(50);
    hold(400);
    await sleep(50);
    // While it continues, the watch reports the longest delay in seconds.
    expect(watched.read().max).toBeGreaterThan(0.35);
    watched.stop();
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ["warn", "event loop held"],
      ["info", "event loop"],
    ]);
    for (const { max_ms: maxMs } of lines) expect(maxMs).toBeGreaterThan(350);
  });

  it("reports only the longest delay at the end if none was long", async () => {
    const { lines, watched } = watch();
    watched.stop();
    expect(lines).toMatchObject([{ level: "info", max_ms: 0, msg: "event loop" }]);
    await sleep(1);
  });
});
