import type { Kysely } from "kysely";
import { toKeptMs } from "../../models/retention.ts";
import type { Database } from "../schema/database.ts";

export type HousekeepingQueries = ReturnType<typeof housekeepingQueries>;

const dayMs = 86_400_000;

export function housekeepingQueries(db: Kysely<Database>) {
  return {
    /** Tenants that keep something for less than a day, and tenants with an unfinished erasure. */
    async tenantsToLookAt(): Promise<number[]> {
      const rules = await db
        .selectFrom("retention")
        .where("kept_for", "is not", null)
        .select(["kept_for", "tenant_id"])
        .execute();
      const short = rules.filter(({ kept_for }) => (toKeptMs(kept_for ?? "") ?? dayMs) < dayMs);
      const erasing = await db
        .selectFrom("erasures")
        .where("finished_on", "is", null)
        .select("tenant_id")
        .execute();
      return [...short, ...erasing].map(({ tenant_id }) => tenant_id);
    },
  };
}
