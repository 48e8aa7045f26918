import type { DeliveryService } from "./delivery-service.ts";
import { pruneOutbox } from "./prune.ts";

/** Work on a whole store that is never urgent. It does a little at a time, and returns early once `isStopped`. */
export type Chore = (service: DeliveryService, isStopped: () => boolean) => Promise<void>;

/** What a worker does beside delivering, in this order. */
const chores: readonly Chore[] = [pruneOutbox];

const firstAfterMs = 60 * 1000;
const everyMs = 60 * 60 * 1000;

/**
 * Does the chores a minute after the start and then once an hour, until what it gives is called. A chore that fails is
 * reported, keeps no other from being done, and is done again an hour later.
 */
export function startHousekeeping(service: DeliveryService, onFault: (error: unknown) => void): () => void {
  let isStopped = false;
  const doChores = async () => {
    for (const chore of chores) await chore(service, () => isStopped).catch(onFault);
  };
  const first = setTimeout(() => void doChores(), firstAfterMs);
  const again = setInterval(() => void doChores(), everyMs);
  return () => {
    isStopped = true;
    clearTimeout(first);
    clearInterval(again);
  };
}
