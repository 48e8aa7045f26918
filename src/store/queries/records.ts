import type { Insertable, Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database, NumberedTable } from "../schema/database.ts";
import { keepAfter, type Matching, readPage } from "./pages.ts";

/** How rows of a table become records, and the other way round. */
export interface RecordForm<T extends NumberedTable, R> {
  toRecord(row: Selectable<Database[T]>): R;
  /** Fields as their columns keep them; by default as they are. */
  toRow?(fields: Partial<R>): object;
}

/** Finds, adds and changes records of one table, whose ids the store assigns. */
export function recordQueries<T extends NumberedTable, R extends { id: number }>(
  access: TenantAccess,
  table: T,
  { toRecord, toRow = (fields) => fields }: RecordForm<T, R>,
) {
  // As in access.ts: while the table is a type parameter, calls are written against one of the tables it can be.
  const any = table as "trucks";
  const toTyped = (row: unknown) => toRecord(row as Selectable<Database[T]>);
  return {
    /** The first of the matching rows. */
    async find(matching: Matching<T>): Promise<R | undefined> {
      const rows = matching as unknown as Matching<"trucks">;
      const row = await rows.selectAll().executeTakeFirst();
      return row && toTyped(row);
    },
    /** A page of the matching rows, by id. */
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
    /** Sets the named fields of a record that the caller has found. */
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
