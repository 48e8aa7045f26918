import { setImmediate } from "node:timers/promises";

const heldMsMax = 2;

/** Yields to the event loop when the steps took too long. SQLite runs in this thread and does not yield. */
export function createLoopTime(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < heldMsMax) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
