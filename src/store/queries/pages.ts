import { type ReferenceExpression, type SelectQueryBuilder, sql } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import { viewableRecordsMax } from "../../models/page-limits.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database, OwnedTable } from "../schema/database.ts";

/** Filtered rows, without a selection or an order. */
export type Matching<T extends OwnedTable> = SelectQueryBuilder<Database, T, object>;

interface ListFacts<T extends OwnedTable> {
  behind?: Matching<T>;
  known?: number | null;
}

/** `show` selects columns and defines a total order. The count omits it and then needs only an index. */
export async function readPage<T extends OwnedTable, Row>(
  access: TenantAccess,
  matching: Matching<T>,
  { index, limit, after = null }: Paging,
  show: (matching: Matching<T>) => SelectQueryBuilder<Database, T, Row>,
  { behind = matching, known = null }: ListFacts<T> = {},
): Promise<Page<Row>> {
  const offset = (index - 1) * limit;
  const countMax = viewableRecordsMax + 1;
  const count = async () => Math.min(countMax, known ?? (await access.count(matching, countMax)));
  const shownMax = Math.max(0, Math.min(limit, viewableRecordsMax - offset));
  const read = async (most: number) => (await show(behind).limit(most).offset(offset).execute()) as Row[];
  if (after !== null) {
    const [total, rows] = await Promise.all([count(), read(shownMax + 1)]);
    return { continues: rows.length > shownMax, rows: rows.slice(0, shownMax), total };
  }
  if (offset === 0) {
    // Together, so that PostgreSQL takes one round trip.
    const [total, rows] = await Promise.all([count(), read(shownMax)]);
    return { rows, total };
  }
  const total = await count();
  return { rows: offset >= Math.min(total, viewableRecordsMax) ? [] : await read(shownMax), total };
}

export function keepAfter<T extends OwnedTable>(
  matching: Matching<T>,
  after: Paging["after"],
  column: "customer_id" | "id" = "id",
  order: "asc" | "desc" = "asc",
): Matching<T> {
  if (typeof after !== "number") return matching;
  const id = sql.ref(column) as unknown as ReferenceExpression<Database, T>;
  return matching.where(id, order === "asc" ? ">" : "<", after as never);
}
