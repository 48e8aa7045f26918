import { setTimeout as pause } from "node:timers/promises";
import { type Chore, startChore } from "../runtime/chore.ts";
import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { DeliveryService } from "./delivery-service.ts";

const keptMs = 30 * 24 * 60 * 60 * 1000;
const batchMax = 500;
/** Between two batches others may write. */
const pauseMs = 50;
const firstAfterMs = 60 * 1000;
const everyMs = 60 * 60 * 1000;

/** Prunes the outbox a minute after the start and then once an hour. */
export function startPruning(service: DeliveryService, onFault: (error: unknown) => void): Chore {
  return startChore((isStopped) => pruneOutbox(service, isStopped), { firstAfterMs, everyMs, onFault });
}

/**
 * Deletes events that are older than 30 days with their deliveries and attempts, in batches, each a transaction. What is
 * pending stays, however old it is.
 */
export async function pruneOutbox(service: DeliveryService, isStopped = () => false): Promise<void> {
  if (await service.store.metadata.isHalfCopy()) return;
  await service.clock.refresh();
  const before = toTimestamp(toEpochMs(service.clock.now()) - keptMs);
  for (const { id: tenantId } of await service.store.accounts.tenants()) {
    let pruned = batchMax;
    while (pruned === batchMax && !isStopped()) {
      pruned = await service.store.write({ tenantId, rowScopes: wholeTenant }, (tenant) =>
        tenant.pruning.pruneEvents(before, batchMax),
      );
      await pause(pauseMs);
    }
  }
}
