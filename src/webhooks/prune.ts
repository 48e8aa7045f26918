import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { DeliveryService } from "./delivery-service.ts";

const keptMs = 30 * 24 * 60 * 60 * 1000;
const batchMax = 500;
/** Between two batches others may write. */
const pauseMs = 50;
const firstAfterMs = 60 * 1000;
const everyMs = 60 * 60 * 1000;

/** Prunes once an hour until what it gives is called. A fault ends one time, not the others. */
export function startPruning(service: DeliveryService, onFault: (error: unknown) => void): () => void {
  let isStopped = false;
  const prune = () => void pruneOutbox(service, () => isStopped).catch(onFault);
  const first = setTimeout(prune, firstAfterMs);
  const again = setInterval(prune, everyMs);
  return () => {
    isStopped = true;
    clearTimeout(first);
    clearInterval(again);
  };
}

/** Forgets events, deliveries and attempts older than 30 days, never what is pending. In batches, each a transaction. */
export async function pruneOutbox(service: DeliveryService, isStopped = () => false): Promise<void> {
  if (await service.store.accounts.isHalfCopy()) return;
  await service.clock.refresh();
  const before = toTimestamp(toEpochMs(service.clock.now()) - keptMs);
  for (const { id: tenantId } of await service.store.accounts.tenants()) {
    let pruned = batchMax;
    while (pruned === batchMax && !isStopped()) {
      pruned = await service.store.write({ tenantId, rowScopes: wholeTenant }, (tenant) =>
        tenant.pruning.pruneEvents(before, batchMax),
      );
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
