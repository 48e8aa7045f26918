import type { Kysely } from "kysely";
import type { Retained } from "../../models/retention.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import { bindToTenant } from "../access/access.ts";
import { noMemories } from "../access/memories.ts";
import { wholeTenant } from "../access/row-scopes.ts";
import { retentionQueries } from "../queries/retention.ts";
import type { Database } from "../schema/database.ts";

/** A kind of rows that a tenant keeps longer than its rule says. */
export interface LatePruning {
  keptFor: string;
  kind: Retained;
  tenantId: number;
}

/** Whoever serves removes what is past its time within an hour; years of it take longer. */
const graceMs = 24 * 60 * 60 * 1000;

/** What was past its time a day ago and is still there: nobody removes it, or not fast enough. */
export async function findLatePruning(db: Kysely<Database>, now: Timestamp): Promise<LatePruning[]> {
  const then = toTimestamp(toEpochMs(now) - graceMs);
  const tenants = await db.selectFrom("tenants").select("id").orderBy("id").execute();
  const late: LatePruning[] = [];
  for (const { id: tenantId } of tenants) {
    const retention = retentionQueries(bindToTenant(toReadRows(db), tenantId, wholeTenant, noMemories));
    for (const rule of await retention.rules())
      if (await retention.isDue(rule, then)) late.push({ keptFor: rule.keptFor, kind: rule.kind, tenantId });
  }
  return late;
}

/** The rows as doctor reads them, in no transaction. */
const toReadRows = (db: Kysely<Database>) => ({
  all: db,
  combinesInserts: false,
  keepsCounts: false,
  last: () => Promise.reject(new Error("Nothing is written here.")),
  locksRows: false,
  own: db,
});
