import { sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";

/** Who wants deliveries of a webhook, how many, and for how long they are to be nobody else's. */
export interface Claim {
  hookId: number;
  now: Timestamp;
  /** Names the claim; of each claim another. */
  leasedBy: string;
  leasedUntil: Timestamp;
  limit: number;
  /** Only deliveries of events from this one on; 0 takes all. */
  firstEventId: number;
}

/**
 * Takes deliveries that are due, in one statement, so that no two workers take the same; gives how many. A taken
 * delivery is due again when its lease ends, which is what rescues those of a worker that died. Of each record the
 * oldest pending one only: order is kept per webhook and record (OP-77). The others have no moment at which they are due
 * until their turn comes, so however many wait, no claim reads them.
 */
export async function claimDeliveries(access: TenantAccess, claim: Claim): Promise<number> {
  const { hookId, now, leasedBy, leasedUntil, limit, firstEventId } = claim;
  const due = access
    .selectUnseen("deliveries")
    .where("hook_id", "=", hookId)
    .where("status", "=", "pending")
    .where("next_attempt_on", "<=", now)
    .where("event_id", ">=", firstEventId)
    .where(isFirstOfRecord)
    .select("id")
    .orderBy("next_attempt_on")
    .orderBy("id")
    .limit(limit);
  const { numUpdatedRows } = await access
    .update("deliveries")
    .set({ leased_by: leasedBy, leased_until: leasedUntil, next_attempt_on: leasedUntil })
    .where("id", "in", access.skipLocked(due))
    // Asked of the row itself as well: what another worker took in between is due no more. In a form that no index
    // serves, or a planner may walk through all that is pending instead of looking up the few that were found.
    .where(sql<boolean>`(status = 'pending') is true`)
    .where(sql<boolean>`(next_attempt_on <= ${now}) is true`)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Whether no earlier delivery of the record to the webhook is pending. */
export const isFirstOfRecord = sql<boolean>`not exists (select 1 from deliveries as earlier
  where earlier.tenant_id = deliveries.tenant_id and earlier.hook_id = deliveries.hook_id
  and earlier.kind = deliveries.kind and earlier.record_id = deliveries.record_id
  and earlier.status = 'pending' and earlier.id < deliveries.id)`;
