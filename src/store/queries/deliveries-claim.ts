import { sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type ParametersOf } from "../access/compiled.ts";
import { heldMark } from "./metadata.ts";

/** A worker's wish for deliveries of a webhook: how many, and until when no other worker may have them. */
export interface Claim {
  hookId: number;
  now: Timestamp;
  /** Names this claim and no other. */
  leasedBy: string;
  leasedUntil: Timestamp;
  limit: number;
  /** Only deliveries of events from this one on; 0 takes all. */
  firstEventId: number;
}

/**
 * Claims deliveries that are due, in one statement, so that no two workers claim the same; gives how many. A claimed
 * delivery is due again when its lease ends, which rescues the deliveries of a worker that died. Claims only the oldest
 * pending delivery of each record, because order is kept per webhook and record (OP-77). The record's others have no
 * due time until then, so a claim reads none of them, however many wait.
 */
export async function claimDeliveries(access: TenantAccess, claim: Claim): Promise<number> {
  return (await access.run(claimDue, { ...claim })).length;
}

/** Whether no earlier delivery of the record to the webhook is pending. */
export const isFirstOfRecord = sql<boolean>`not exists (select 1 from deliveries as earlier
  where earlier.tenant_id = deliveries.tenant_id and earlier.hook_id = deliveries.hook_id
  and earlier.kind = deliveries.kind and earlier.record_id = deliveries.record_id
  and earlier.status = 'pending' and earlier.id < deliveries.id)`;

/** Asked by each claim, so that what is held is held for every process from the next claim on. */
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
        // Checked on the row itself as well, because another worker may have claimed it in between. `is true` keeps the
        // planner from using an index for these conditions: it would read all that is pending instead of the few ids.
        .where(sql<boolean>`(status = 'pending') is true`)
        .where(sql<boolean>`(next_attempt_on <= ${now}) is true`)
        .returning("id")
    );
  },
);
