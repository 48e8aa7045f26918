import type { Insertable, Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database, NumberedTable } from "../schema/database.ts";
import { keepAfter, type Matching, readPage } from "./pages.ts";

export interface RecordForm<T extends NumberedTable, R> {
  toRecord(row: Selectable<Database[T]>): R;
  /** Default: each field is a column. */
  toRow?(fields: Partial<R>): object;
}

export function recordQueries<T extends NumberedTable, R extends { id: number }>(
  access: TenantAccess,
  table: T,
  { toRecord, toRow = (fields) => fields }: RecordForm<T, R>,
) {
  // As in access.ts: `table` is a type parameter, so the calls use one of the tables.
  const any = table as "trucks";
  const toTyped = (row: unknown) => toRecord(row as Selectable<Database[T]>);
  return {
    async find(matching: Matching<T>): Promise<R | undefined> {
      const rows = matching as unknown as Matching<"trucks">;
      const row = await rows.selectAll().executeTakeFirst();
      return row && toTyped(row);
    },
    async page(matching: Matching<T>, paging: Paging): Promise<Page<R>> {
      const rows = matching as unknown as Matching<"trucks">;
      const behind = keepAfter(rows, paging.after);
      const page = await readPage(access, rows, paging, (shown) => shown.selectAll().orderBy("id"), {
        behind,
      });
      return { ...page, rows: page.rows.map(toTyped) };
    },
    async insert(record: Omit<R, "id">): Promise<R> {
      const row = toRow(record as Partial<R>) as Omit<Insertable<Database["trucks"]>, "tenant_id">;
      const { id } = await access.insert(any, row).returning("id").executeTakeFirstOrThrow();
      return { ...record, id } as R;
    },
    async update(id: number, changed: Partial<Omit<R, "id">>): Promise<void> {
      if (Object.keys(changed).length === 0) return;
      await access
        .update(any)
        .set(toRow(changed as Partial<R>))
        .where("id", "=", id)
        .execute();
    },
  };
}
