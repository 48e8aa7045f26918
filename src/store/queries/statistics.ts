import { sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { OwnedTable } from "../schema/database.ts";

/** The tables of which only the number of rows is told. */
const counted = [
  "customers",
  "addresses",
  "contacts",
  "locations",
  "users",
  "jobs",
  "trucks",
  "drivers",
  "assets",
  "hooks",
  "events",
  "deliveries",
  "audit",
] as const satisfies readonly OwnedTable[];

/**
 * Counts of a tenant's records. Each is answered from an index: the totals from one that begins with the tenant, the rest
 * from that part of one that lies in the time asked for, so that it does not grow with what was before.
 */
export function statisticsQueries(access: TenantAccess) {
  return {
    async totals(): Promise<Record<(typeof counted)[number], number>> {
      const totals: [string, number][] = [];
      for (const table of counted)
        totals.push([table, await access.count(access.selectUnseen(table), Number.MAX_SAFE_INTEGER)]);
      return Object.fromEntries(totals) as Record<(typeof counted)[number], number>;
    },

    /** Jobs that are scheduled in a time, by what has become of them. */
    async jobsByState(from: Timestamp, to: Timestamp): Promise<Record<string, number>> {
      const state = sql<string>`case when is_deleted then 'deleted' when is_completed then 'completed'
        when is_failed then 'failed' when is_declined then 'declined' when truck_id is not null then 'dispatched'
        else 'open' end`;
      const rows = await access
        .selectUnseen("jobs")
        .where("schedule_key", ">=", from)
        .where("schedule_key", "<", to)
        .select((eb) => [state.as("state"), eb.fn.countAll().as("total")])
        .groupBy("state")
        .execute();
      return Object.fromEntries(rows.map(({ state, total }) => [state, Number(total)]));
    },

    /** Events since a moment, by their day (UTC). */
    async eventsByDay(since: Timestamp): Promise<Record<string, number>> {
      const rows = await access
        .selectUnseen("events")
        .where("created_on", ">=", since)
        .select((eb) => [
          sql<string>`substr(cast(created_on as text), 1, 10)`.as("day"),
          eb.fn.countAll().as("total"),
        ])
        .groupBy("day")
        .orderBy("day")
        .execute();
      return Object.fromEntries(rows.map(({ day, total }) => [day, Number(total)]));
    },

    /** What came of the deliveries of events since a moment. */
    async deliveriesByStatus(since: Timestamp): Promise<Record<string, number>> {
      const first = await access
        .selectUnseen("events")
        .where("created_on", ">=", since)
        .select("id")
        .orderBy("created_on")
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      if (!first) return {};
      const rows = await access
        .selectUnseen("deliveries")
        .where("event_id", ">=", first.id)
        .select((eb) => ["status", eb.fn.countAll().as("total")])
        .groupBy("status")
        .execute();
      return Object.fromEntries(rows.map(({ status, total }) => [status, Number(total)]));
    },

    /** Deliveries that are still to be made, whatever their age. */
    countPending(): Promise<number> {
      const pending = access.selectUnseen("deliveries").where("status", "=", "pending");
      return access.count(pending, Number.MAX_SAFE_INTEGER);
    },

    async lastChangedOn(): Promise<Timestamp | null> {
      const row = await access
        .selectUnseen("audit")
        .select("created_on")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.created_on ?? null;
    },
  };
}
