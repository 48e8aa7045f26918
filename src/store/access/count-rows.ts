import { BinaryOperationNode, type Kysely, type SelectQueryBuilder, sql, TableNode } from "kysely";
import type { TenantRows } from "../api.ts";
import type { Database, OwnedTable } from "../schema/database.ts";
import type { ScopeOperands } from "./narrow-to-scopes.ts";
import { narrowToScopes } from "./narrow-to-scopes.ts";

type Rows<T extends OwnedTable> = SelectQueryBuilder<Database, T, object>;

export interface RowCounts {
  count<T extends OwnedTable>(matching: Rows<T>, max: number): Promise<number>;
  /** Counts the visible jobs that match `keep` from `job_counts`. null where its columns cannot answer. */
  readonly sumJobs: ((keep: (jobs: Rows<"jobs">) => Rows<"jobs">) => Promise<number>) | null;
}

export function bindCounts(
  { own: db, keepsCounts }: TenantRows,
  tenantId: number,
  rowScopes: readonly ScopeOperands[],
): RowCounts {
  const seesWholeLocations =
    rowScopes.some(({ kind }) => kind === "tenant") || rowScopes.every(({ kind }) => kind === "location");
  return {
    count: async (matching, max) => {
      const whole = keepsCounts ? findWholeTable(matching) : undefined;
      if (whole) return Math.min(max, await readRowCount(db, tenantId, whole));
      const rows = matching as unknown as Rows<"jobs">;
      // The limit is in the subquery, so a count over millions of rows stops early.
      const bounded = rows.select(sql.lit(1).as("one")).limit(max).as("counted");
      const total = db.selectFrom(bounded).select((eb) => eb.fn.countAll<number>().as("total"));
      return Number((await total.executeTakeFirst())?.total);
    },
    sumJobs: keepsCounts && seesWholeLocations ? (keep) => sumJobs(db, tenantId, rowScopes, keep) : null,
  };
}

function findWholeTable<T extends OwnedTable>(matching: Rows<T>): string | undefined {
  const { from, joins, where } = matching.toOperationNode();
  const [source] = from?.froms ?? [];
  const isWhole = !joins && where && BinaryOperationNode.is(where.where);
  return isWhole && source && TableNode.is(source) ? source.table.identifier.name : undefined;
}

async function readRowCount(db: Kysely<Database>, tenantId: number, table: string): Promise<number> {
  const row = await db
    .selectFrom("table_revisions")
    .where("tenant_id", "=", tenantId)
    .where("table_name", "=", table)
    .select("row_count")
    .executeTakeFirst();
  return row?.row_count ?? 0;
}

async function sumJobs(
  db: Kysely<Database>,
  tenantId: number,
  rowScopes: readonly ScopeOperands[],
  keep: (jobs: Rows<"jobs">) => Rows<"jobs">,
): Promise<number> {
  const groups = db.selectFrom("job_counts as jobs").where("jobs.tenant_id", "=", tenantId);
  const seen = narrowToScopes(groups as unknown as Rows<"jobs">, "jobs", tenantId, rowScopes);
  const total = sql<number | null>`sum(row_count)`.as("total");
  const row = await keep(seen).select(total).executeTakeFirst();
  return row?.total ?? 0;
}
