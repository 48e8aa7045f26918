import { setImmediate } from "node:timers/promises";

/** For so long one piece of work may hold the event loop, in milliseconds. */
const heldMsMax = 2;

/**
 * Makes what long work calls between its steps: it lets the event loop go round when the steps since the last time took too
 * long. SQLite answers in its caller's thread, so to wait for it lets nobody in.
 */
export function createLoopTime(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < heldMsMax) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
