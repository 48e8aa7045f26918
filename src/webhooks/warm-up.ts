import type { DeliveryService } from "./delivery-service.ts";

const firstAfterMs = 2000;
const everyMs = 500;
/** The share of the time between two looks for which the process may have been busy in a quiet moment. */
const busyShareMax = 0.2;
/** Then it is loaded in any case: a server that is never quiet would load it with its first delivery. */
const looksMax = 60;

/**
 * Loads what sends requests to webhooks, at a quiet moment after the start, where the store has webhooks. The loading holds
 * the process up for tens of milliseconds, which the first delivery and the requests beside it would wait for. Gives what
 * ends the waiting; keeps no process alive.
 */
export function warmUpWhenQuiet(
  { sender, store }: Pick<DeliveryService, "sender" | "store">,
  onFault: (error: unknown) => void,
): () => void {
  let before = performance.eventLoopUtilization();
  const load = async () => {
    if (await store.backlog.hasHooks()) await sender();
  };
  const look = (looksLeft: number) => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization <= busyShareMax || looksLeft === 0) void load().catch(onFault);
    else timer = setTimeout(look, everyMs, looksLeft - 1).unref();
  };
  let timer = setTimeout(look, firstAfterMs, looksMax).unref();
  return () => clearTimeout(timer);
}
