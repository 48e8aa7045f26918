import { wholeTenant } from "../store/access/row-scopes.ts";
import type { DeliveryService } from "./delivery-service.ts";
import type { Caused } from "./outbox-notifier.ts";
import { startWorker } from "./worker.ts";

/**
 * Delivers the events that this process has caused, for `msMax` at most. Gives how many of their deliveries are still
 * pending, those that wait for a later attempt included. A fault of the store is passed over: the outbox keeps them.
 */
export async function deliverFor(
  service: DeliveryService,
  caused: readonly Caused[],
  msMax: number,
): Promise<number> {
  const log = { attempt: () => undefined, fault: () => undefined };
  const worker = startWorker(service, { log, only: caused });
  await Promise.race([worker.drain(), new Promise((resolve) => setTimeout(resolve, msMax).unref())]);
  await worker.stop(0);
  let pending = 0;
  for (const { tenantId, firstEventId } of caused) {
    const tenant = service.store.direct({ tenantId, rowScopes: wholeTenant });
    pending += await tenant.dueDeliveries.countPending(firstEventId);
  }
  return pending;
}
