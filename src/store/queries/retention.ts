import { type Kysely, type RawBuilder, sql } from "kysely";
import { type Retained, retentionKinds, retentionRules, toKeptMs } from "../../models/retention.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import { isPostgres } from "../access/compiled.ts";
import { type Database, type OwnedTable, type OwnedTableFacts, ownedTables } from "../schema/database.ts";
import { pruners } from "./retention-prune.ts";

export interface RetentionRule {
  appliedOn: Timestamp | null;
  isDefault: boolean;
  keptFor: string;
  kind: Retained;
  removed: number;
  removedOn: Timestamp | null;
}

interface RetentionFacts {
  due: number;
  oldestOn: Timestamp | null;
  rows: number;
}

const dueMax = 100_000;
const rowsMax = 10_000_000;

/** Rows before this time are due; null for none. */
export function toLimit({ keptFor }: Pick<RetentionRule, "keptFor">, now: Timestamp): Timestamp | null {
  const keptMs = toKeptMs(keptFor);
  // A rule may reach back before the first year of timestamps.
  return keptMs === null ? null : toTimestamp(Math.max(0, toEpochMs(now) - keptMs));
}

export function retentionQueries(access: TenantAccess) {
  return {
    async rules(): Promise<RetentionRule[]> {
      const rows = await access.selectUnseen("retention").selectAll().execute();
      return retentionKinds.map((kind) => {
        const row = rows.find((known) => known.kind === kind);
        return {
          appliedOn: row?.applied_on ?? null,
          isDefault: (row?.kept_for ?? null) === null,
          keptFor: row?.kept_for ?? retentionRules[kind].keptFor,
          kind,
          removed: Number(row?.removed ?? 0),
          removedOn: row?.removed_on ?? null,
        };
      });
    },

    async facts(rule: RetentionRule, now: Timestamp): Promise<RetentionFacts> {
      const { oldestOn, table } = pruners[rule.kind];
      const limit = toLimit(rule, now);
      return {
        due: limit === null ? 0 : await pruners[rule.kind].countDue(access, limit, dueMax),
        oldestOn: await oldestOn(access),
        rows: await access.count(access.selectUnseen(table), rowsMax),
      };
    },

    async isDue(rule: RetentionRule, now: Timestamp): Promise<boolean> {
      const limit = toLimit(rule, now);
      return limit !== null && (await pruners[rule.kind].countDue(access, limit, 1)) > 0;
    },

    /** Deletes at most `max` rows, oldest first. Returns their number. */
    async prune(rule: RetentionRule, now: Timestamp, max: number): Promise<number> {
      const limit = toLimit(rule, now);
      return limit === null ? 0 : pruners[rule.kind].prune(access, limit, max);
    },

    async set(kind: Retained, keptFor: string | null): Promise<void> {
      await access
        .insert("retention", { applied_on: null, kept_for: keptFor, kind, removed_on: null })
        .onConflict((conflict) => conflict.columns(["tenant_id", "kind"]).doUpdateSet({ kept_for: keptFor }))
        .execute();
    },

    /** `isDone`: no due rows are left. */
    async note(kind: Retained, removed: number, isDone: boolean, now: Timestamp): Promise<void> {
      const row = {
        applied_on: isDone ? now : null,
        kept_for: null,
        kind,
        removed,
        removed_on: removed > 0 ? now : null,
      };
      await access
        .insert("retention", row)
        .onConflict((conflict) =>
          conflict.columns(["tenant_id", "kind"]).doUpdateSet({
            removed: sql<number>`retention.removed + excluded.removed`,
            ...(isDone && { applied_on: now }),
            ...(removed > 0 && { removed_on: now }),
          }),
        )
        .execute();
    },
  };
}

export type HousekeepingQueries = ReturnType<typeof housekeepingQueries>;

const dayMs = 86_400_000;

export function housekeepingQueries(db: Kysely<Database>) {
  return {
    /** Tenants that keep a kind for less than a day, and tenants with an unfinished erasure. */
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
    async tenantsToDelete(now: Timestamp): Promise<number[]> {
      const rows = await db.selectFrom("tenants").where("deletes_on", "<=", now).select("id").execute();
      return rows.map(({ id }) => id);
    },
    deleteTenantRows: (tenantId: number): Promise<number> => deleteTenantRows(db, tenantId),
  };
}

const batchRows = 1000;

/** Triggers maintain these tables, and leave some rows after the originals are deleted. */
const derivedTables = ["job_counts", "search_parts", "search_words", "table_revisions"] as const;
const derivedOnPostgres = ["search_parts", "search_words"] as const;

/** Deletes a batch and returns the number of rows. At the end deletes the tenant and returns 0. */
async function deleteTenantRows(db: Kysely<Database>, tenantId: number): Promise<number> {
  // Tables come after the tables that they reference.
  for (const [table, facts] of Object.entries(ownedTables).toReversed() as [OwnedTable, OwnedTableFacts][]) {
    const count =
      (await clearParents(db, tenantId, table, facts)) || (await deleteRows(db, tenantId, table, facts));
    if (count > 0) return count;
  }
  for (const table of isPostgres(db) ? derivedOnPostgres : derivedTables) {
    await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(db);
  }
  await db.deleteFrom("tenants").where("id", "=", tenantId).execute();
  return 0;
}

/** Ends references between rows of one table, which would forbid the deletion. */
async function clearParents(
  db: Kysely<Database>,
  tenantId: number,
  table: OwnedTable,
  { parent }: OwnedTableFacts,
): Promise<number> {
  if (parent === undefined) return 0;
  const column = sql.ref(parent);
  const rows = sql`select id from ${sql.table(table)} where tenant_id = ${tenantId} and ${column} is not null
    limit ${sql.lit(batchRows)}`;
  return change(
    db,
    sql`update ${sql.table(table)} set ${column} = null where tenant_id = ${tenantId} and id in (${rows})`,
  );
}

function deleteRows(
  db: Kysely<Database>,
  tenantId: number,
  table: OwnedTable,
  { key = ["id"] }: OwnedTableFacts,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const rows = sql`select ${columns} from ${sql.table(table)} where tenant_id = ${tenantId} limit ${sql.lit(batchRows)}`;
  return change(
    db,
    sql`delete from ${sql.table(table)} where tenant_id = ${tenantId} and (${columns}) in (${rows})`,
  );
}

async function change(db: Kysely<Database>, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0);
}
