import { type ReferenceExpression, type SelectQueryBuilder, sql } from "kysely";
import { type Page, type Paging, viewableRecordsMax } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database, OwnedTable } from "../schema/database.ts";

/** Rows of a table that are filtered, but neither selected nor ordered yet. */
export type Matching<T extends OwnedTable> = SelectQueryBuilder<Database, T, object>;

/**
 * One page of the matching rows, and how many match (OP-52). `show` selects columns and puts the rows into a total
 * order; it is left out of the count, which then needs an index only. `known` is how many match, where that is known.
 */
export async function readPage<T extends OwnedTable, Row>(
  access: TenantAccess,
  matching: Matching<T>,
  { index, limit, after = null }: Paging,
  show: (matching: Matching<T>) => SelectQueryBuilder<Database, T, Row>,
  known: number | null = null,
): Promise<Page<Row>> {
  const offset = (index - 1) * limit;
  // A reader who pages on from a record only needs to know whether another page follows, as does the last viewable page.
  const countMax = Math.min(viewableRecordsMax, after === null ? viewableRecordsMax : offset + limit) + 1;
  const count = async () => Math.min(countMax, known ?? (await access.count(matching, countMax)));
  // A page that begins before the last viewable record ends there.
  const read = async () => {
    const rows = show(matching)
      .limit(Math.min(limit, viewableRecordsMax - offset))
      .offset(offset);
    return (await rows.execute()) as Row[];
  };
  if (offset === 0) {
    // Both at once: PostgreSQL then takes one round trip.
    const [total, rows] = await Promise.all([count(), read()]);
    return { rows, total };
  }
  const total = await count();
  return { rows: offset >= Math.min(total, viewableRecordsMax) ? [] : await read(), total };
}

/** The rows after the record that a page begins behind, in the order of ids. */
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
