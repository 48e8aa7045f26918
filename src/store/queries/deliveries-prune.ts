import { sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";

/** Deletes what is old in the outbox. */
export function pruneQueries(access: TenantAccess) {
  return {
    /**
     * Deletes events that were written before a moment, with their deliveries and attempts: the oldest first, `limit` at
     * most. Gives how many. An event stays while a delivery of it is pending or was finished since that moment.
     */
    async pruneEvents(before: Timestamp, limit: number): Promise<number> {
      const old = await access
        .selectUnseen("events")
        .where("created_on", "<", before)
        .where(
          sql<boolean>`not exists (select 1 from deliveries where deliveries.tenant_id = events.tenant_id
            and deliveries.event_id = events.id
            and (deliveries.status = 'pending' or deliveries.finished_on >= ${before}))`,
        )
        .select("id")
        .orderBy("created_on")
        .orderBy("id")
        .limit(limit)
        .execute();
      if (old.length === 0) return 0;
      const ids = old.map(({ id }) => id);
      const deliveries = access.selectUnseen("deliveries").where("event_id", "in", ids).select("id");
      await access.delete("delivery_attempts").where("delivery_id", "in", deliveries).execute();
      await access.delete("deliveries").where("event_id", "in", ids).execute();
      await access.delete("events").where("id", "in", ids).execute();
      return ids.length;
    },
  };
}
