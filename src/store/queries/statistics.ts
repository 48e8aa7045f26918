import { sql } from "kysely";
import { type JobState, toJobState } from "../../models/job-state.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { OwnedTable } from "../schema/database.ts";
import { inOrder, keepBehind } from "./job-order.ts";
import { type Job, toJob } from "./job-record.ts";
import type { Matching } from "./pages.ts";

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

/** Queries read only the requested part of an index, so the age of the history does not matter. */
export function statisticsQueries(access: TenantAccess) {
  return {
    async totals(): Promise<Record<(typeof counted)[number], number>> {
      const totals: [string, number][] = [];
      for (const table of counted)
        totals.push([table, await access.count(access.selectUnseen(table), Number.MAX_SAFE_INTEGER)]);
      return Object.fromEntries(totals) as Record<(typeof counted)[number], number>;
    },

    /** Reads the jobs, because not every state has a column. */
    async jobsByState(from: Timestamp, to: Timestamp): Promise<Partial<Record<JobState, number>>> {
      const counts: Partial<Record<JobState, number>> = {};
      const scheduled = access
        .selectUnseen("jobs")
        .where("schedule_key", ">=", from)
        .where("schedule_key", "<", to);
      for (let last: Job | undefined; ; ) {
        const jobs = await readJobs(last ? keepBehind(scheduled, last) : scheduled);
        for (const job of jobs) {
          const state = toJobState(job);
          counts[state] = (counts[state] ?? 0) + 1;
        }
        last = jobs.at(-1);
        if (!last) return toSorted(counts);
      }
    },

    /** By UTC day. */
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

const jobsPerRead = 1000;

async function readJobs(matching: Matching<"jobs">): Promise<Job[]> {
  const columns = ["id", "location_id", "created_by", "record"] as const;
  const rows = await inOrder(matching).select(columns).limit(jobsPerRead).execute();
  return rows.map(toJob);
}

function toSorted<T extends object>(counts: T): T {
  const entries = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  // The same entries in another order.
  return Object.fromEntries(entries) as T;
}
