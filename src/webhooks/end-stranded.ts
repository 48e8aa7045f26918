import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import { leaseMs } from "./claimer.ts";
import type { DeliveryService } from "./delivery-service.ts";
import { retryMsMax } from "./retry.ts";

/** The clocks of machines that work on one store differ by less. */
const skewMsMax = 60_000;

/**
 * Makes deliveries due whose lease ends, or whose next attempt is planned, later than can have been planned by now
 * (OP-192): the clock that planned it was ahead, or was set back since. Gives whether there were any.
 */
export async function endStranded({ clock, store }: DeliveryService): Promise<boolean> {
  await clock.refresh();
  const now = clock.now();
  const plannedAhead = (ms: number) => toTimestamp(toEpochMs(now) + ms + skewMsMax);
  const latest = { leaseEnd: plannedAhead(leaseMs), retry: plannedAhead(retryMsMax) };
  // Read first: nearly always there are none, and then nothing is written.
  const ids = await store.backlog.stranded(latest);
  if (ids.length === 0) return false;
  await store.writeRelaxed({ tenantId: 0, rowScopes: wholeTenant }, ({ backlog }) =>
    backlog.endStranded(ids, latest, now),
  );
  return true;
}
