import { type Kysely, sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Database } from "../schema/database.ts";

export function leaseQueries(db: Kysely<Database>) {
  return {
    async countLeased(now: Timestamp): Promise<number> {
      const row = await db
        .selectFrom("deliveries")
        .where("status", "=", "pending")
        .where("leased_until", ">", now)
        .select((eb) => eb.fn.countAll().as("count"))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** A worker's late result counts unless another worker has claimed the delivery. */
    async endLeasesOf(workerId: string, now: Timestamp): Promise<void> {
      const isOfWorker = sql<boolean>`substr(deliveries.leased_by, 1, ${workerId.length}) = ${workerId}`;
      await db
        .updateTable("deliveries")
        .set({ leased_until: now, next_attempt_on: now })
        .where("id", "in", () => toLeased(db).where(isOfWorker).select("deliveries.id"))
        // Repeated on the row, because another worker may have claimed it in between.
        .where(isOfWorker)
        .where("status", "=", "pending")
        .execute();
    },

    /** Deliveries that a wrong clock leased or planned too far ahead. Returns some hundreds at most. */
    async stranded({ leaseEnd, retry }: LatestPlan): Promise<number[]> {
      const leased = await toLeased(db)
        .where("deliveries.leased_until", ">", leaseEnd)
        .select("deliveries.id")
        .limit(strandedMax)
        .execute();
      const waiting = await toPending(db)
        .where("deliveries.next_attempt_on", ">", retry)
        .select("deliveries.id")
        .limit(strandedMax)
        .execute();
      return [...leased, ...waiting].map(({ id }) => id);
    },

    /** Skips deliveries that another worker has made due and claimed. */
    async endStranded(ids: readonly number[], latest: LatestPlan, now: Timestamp): Promise<void> {
      await db
        .updateTable("deliveries")
        .set({ leased_by: null, leased_until: null, next_attempt_on: now })
        .where("id", "in", ids)
        .where("status", "=", "pending")
        .where((eb) =>
          eb.or([eb("leased_until", ">", latest.leaseEnd), eb("next_attempt_on", ">", latest.retry)]),
        )
        .execute();
    },

    async endLeases(now: Timestamp): Promise<void> {
      await db
        .updateTable("deliveries")
        .set({ leased_until: now, next_attempt_on: now })
        .where("status", "=", "pending")
        .where("leased_until", ">", now)
        .execute();
    },
  };
}

interface LatestPlan {
  leaseEnd: Timestamp;
  retry: Timestamp;
}

/** A wrong clock may have planned any number. Later calls find the rest. */
const strandedMax = 500;

function toLeased(queries: Pick<Kysely<Database>, "selectFrom">) {
  return queries
    .selectFrom("tenants")
    .innerJoin("deliveries", "deliveries.tenant_id", "tenants.id")
    .where("deliveries.leased_until", "is not", null)
    .where("deliveries.status", "=", "pending");
}

export function toPending(db: Kysely<Database>) {
  return db
    .selectFrom("hooks")
    .innerJoin("deliveries", (join) =>
      join.onRef("deliveries.tenant_id", "=", "hooks.tenant_id").onRef("deliveries.hook_id", "=", "hooks.id"),
    )
    .where("deliveries.status", "=", "pending");
}
