import { type RawBuilder, sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import { isFirstOfRecord } from "./deliveries-due.ts";
import { type CausedDeliveries, deliveryColumns, toNumberedUuid } from "./outbox.ts";
import type { Matching } from "./pages.ts";

/** Each returns the number of deliveries to send. */
export function replayQueries(access: TenantAccess, caused: CausedDeliveries) {
  return {
    /** Copies no delivery whose earlier copy is pending or ended after `now`. */
    async replay(hookId: number, id: number, uuid: string, now: Timestamp): Promise<number> {
      const chosen = access
        .select("deliveries")
        .where("deliveries.id", "=", id)
        .where(hasNoLater(sql`and (later.status = 'pending' or later.finished_on > ${now})`));
      const count = await insertCopies(access, chosen, uuid, now);
      await makeDue(access, { hookId, count, now }, caused);
      return count;
    },

    /** Makes a waiting delivery due. It changes no delivery that is under way or waits for an earlier one of its record. */
    async retryNow(id: number, now: Timestamp): Promise<number> {
      const { numUpdatedRows } = await access
        .update("deliveries")
        .set({ next_attempt_on: now })
        .where("id", "=", id)
        .where("status", "=", "pending")
        .where("leased_until", "is", null)
        .where("next_attempt_on", "is not", null)
        .executeTakeFirstOrThrow();
      caused.firstEventId = 0;
      return Number(numUpdatedRows);
    },

    /** Copies, for each event except pings, the last delivery if it failed after `since`. */
    async replayFailed(hookId: number, since: Timestamp, uuid: string, now: Timestamp): Promise<number> {
      const chosen = access
        .select("deliveries")
        .where("deliveries.hook_id", "=", hookId)
        .where("deliveries.status", "=", "failed")
        .where("deliveries.finished_on", ">=", since)
        .where("deliveries.kind", "<>", "Ping")
        .where(isLastOfEvent);
      const count = await insertCopies(access, chosen, uuid, now);
      await makeDue(access, { hookId, count, now }, caused);
      return count;
    },

    /** Copies failed or canceled last deliveries of a period. Returns null and copies none above `max`. */
    async replayPeriod(
      hookId: number,
      { delivered, from, to, max }: Period,
      uuid: string,
      now: Timestamp,
    ): Promise<number | null> {
      const chosen = access
        .select("deliveries")
        .where("deliveries.hook_id", "=", hookId)
        .where(
          "deliveries.status",
          "in",
          delivered ? ["cancelled", "delivered", "failed"] : ["cancelled", "failed"],
        )
        .where("deliveries.kind", "<>", "Ping")
        .where(
          sql<boolean>`exists (select 1 from events where events.tenant_id = deliveries.tenant_id
            and events.id = deliveries.event_id and events.created_on >= ${from} and events.created_on < ${to})`,
        )
        .where(isLastOfEvent);
      if ((await access.count(chosen, max + 1)) > max) return null;
      const count = await insertCopies(access, chosen, uuid, now);
      await makeDue(access, { hookId, count, now }, caused);
      return count;
    },

    /** Restarts deliveries canceled after `cancelledSince` from the first attempt. */
    async resume(hookId: number, cancelledSince: Timestamp, now: Timestamp): Promise<number> {
      const { numUpdatedRows } = await access
        .update("deliveries")
        .set({ attempt: 0, finished_on: null, next_attempt_on: null, status: "pending" })
        .where("hook_id", "=", hookId)
        .where("status", "=", "cancelled")
        .where("finished_on", ">=", cancelledSince)
        .executeTakeFirstOrThrow();
      const count = Number(numUpdatedRows);
      await makeDue(access, { hookId, count, now }, caused);
      return count;
    },
  };
}

/** `to` is exclusive. `delivered` includes successful deliveries. */
interface Period {
  delivered: boolean;
  from: Timestamp;
  to: Timestamp;
  max: number;
}

const hasNoLater = (which: RawBuilder<unknown>) => sql<boolean>`not exists (select 1 from deliveries as later
  where later.tenant_id = deliveries.tenant_id and later.event_id = deliveries.event_id
  and later.hook_id = deliveries.hook_id and later.id > deliveries.id ${which})`;

const isLastOfEvent = hasNoLater(sql``);

/** Makes each record's first pending delivery due. The events may be old, so workers search the whole tenant. */
async function makeDue(
  access: TenantAccess,
  { hookId, count, now }: { hookId: number; count: number; now: Timestamp },
  caused: CausedDeliveries,
): Promise<void> {
  await access
    .update("deliveries")
    .set({ next_attempt_on: now })
    .where("hook_id", "=", hookId)
    .where("status", "=", "pending")
    .where("next_attempt_on", "is", null)
    .where(isFirstOfRecord)
    .execute();
  if (count > 0) caused.firstEventId = 0;
}

/** In alphabetical order, as in the selection. */
const copyColumns = [...deliveryColumns, "is_replay" as const].sort();

async function insertCopies(
  access: TenantAccess,
  chosen: Matching<"deliveries">,
  uuid: string,
  now: Timestamp,
): Promise<number> {
  const selection = chosen
    .select([
      "deliveries.tenant_id",
      "deliveries.action",
      sql.lit(0).as("attempt"),
      sql<Timestamp>`${now}`.as("created_on"),
      "deliveries.event_id",
      "deliveries.hook_id",
      sql<boolean>`true`.as("is_replay"),
      "deliveries.kind",
      sql.lit(null).as("next_attempt_on"),
      "deliveries.record_id",
      sql.lit("pending").as("status"),
      toNumberedUuid(sql.val(uuid), "deliveries.id").as("uuid"),
    ])
    .orderBy("deliveries.event_id")
    .orderBy("deliveries.id");
  const inserted = await access.insertFrom("deliveries", copyColumns, selection).executeTakeFirstOrThrow();
  return Number(inserted.numInsertedOrUpdatedRows ?? 0n);
}
