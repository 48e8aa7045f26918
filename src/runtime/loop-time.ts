import { setImmediate } from "node:timers/promises";

/** The longest time that one piece of work may hold the event loop. */
const heldMsMax = 2;

/**
 * Returns the function that long work calls between its steps. It yields to the event loop when the steps took too
 * long. SQLite runs in the caller's thread, so waiting for it yields to nobody.
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
