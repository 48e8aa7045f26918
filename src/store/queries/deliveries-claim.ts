import { sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type ParametersOf } from "../access/compiled.ts";
import { heldMark } from "../metadata-keys.ts";

/** A worker's claim on deliveries of a webhook, until the lease ends. */
export interface Claim {
  hookId: number;
  now: Timestamp;
  /** Unique per claim. */
  leasedBy: string;
  leasedUntil: Timestamp;
  limit: number;
  /** Only deliveries of events from this one on; 0 takes all. */
  firstEventId: number;
}

/**
 * Claims due deliveries in one statement, so that no two workers claim the same. Returns their number. A claimed
 * delivery is due again when its lease ends, in case its worker died. It claims only the oldest pending delivery of
 * each record, because a webhook gets the events of a record in order. Other deliveries of the record have no due time
 * until then, so a claim reads none of them.
 */
export async function claimDeliveries(access: TenantAccess, claim: Claim): Promise<number> {
  return (await access.run(claimDue, { ...claim })).length;
}

export const isFirstOfRecord = sql<boolean>`not exists (select 1 from deliveries as earlier
  where earlier.tenant_id = deliveries.tenant_id and earlier.hook_id = deliveries.hook_id
  and earlier.kind = deliveries.kind and earlier.record_id = deliveries.record_id
  and earlier.status = 'pending' and earlier.id < deliveries.id)`;

/** A part of each claim, so that a hold applies to every process from its next claim on. */
const isNotHeld = sql<boolean>`not exists (select 1 from meta where key = ${sql.lit(heldMark)})`;

const claimDue = defineStatement(
  (
    { selectUnseen, skipLocked, update }: TenantQueries,
    { hookId, now, leasedBy, leasedUntil, limit, firstEventId }: ParametersOf<Claim>,
  ) => {
    const due = selectUnseen("deliveries")
      .where("hook_id", "=", hookId)
      .where("status", "=", "pending")
      .where("next_attempt_on", "<=", now)
      .where("event_id", ">=", firstEventId)
      .where(isFirstOfRecord)
      .where(isNotHeld)
      .select("id")
      .orderBy("next_attempt_on")
      .orderBy("id")
      .limit(limit);
    return (
      update("deliveries")
        .set({ leased_by: leasedBy, leased_until: leasedUntil, next_attempt_on: leasedUntil })
        .where("id", "in", skipLocked(due))
        // Repeated on the row itself, because another worker may have claimed it in between. `is true` keeps the
        // planner from using an index for these conditions, which would read all pending deliveries instead of the few
        // ids.
        .where(sql<boolean>`(status = 'pending') is true`)
        .where(sql<boolean>`(next_attempt_on <= ${now}) is true`)
        .returning("id")
    );
  },
);
