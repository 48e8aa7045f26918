import { type Kysely, type RawBuilder, sql } from "kysely";
import { isPostgres } from "../access/compiled.ts";
import { type Database, type OwnedTable, type OwnedTableFacts, ownedTables } from "../schema/database.ts";

const batchRows = 1000;

/** Triggers maintain these tables, and leave some rows after the originals are deleted. */
const derivedTables = ["job_counts", "search_parts", "search_words", "table_revisions"] as const;
const derivedOnPostgres = ["search_parts", "search_words"] as const;

/** Deletes a batch and returns the number of rows. At the end deletes the tenant and returns 0. */
export async function deleteTenantRows(db: Kysely<Database>, tenantId: number): Promise<number> {
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
