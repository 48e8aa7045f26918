import type { Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database, NumberedTable } from "../schema/database.ts";
import type { Matching } from "./pages.ts";
import { type RecordForm, recordQueries } from "./records.ts";

/** The tables of records that belong to one location. */
type LocationOwnedTable = {
  [T in NumberedTable]: Database[T] extends { location_id: number } ? T : never;
}[NumberedTable];

/** Queries of records that belong to a location: each finds and lists records of the named location only. */
export function locationRecordQueries<T extends LocationOwnedTable, R extends { id: number }>(
  access: TenantAccess,
  table: T,
  form: RecordForm<T, R>,
) {
  const { find, page, insert, update } = recordQueries(access, table, form);
  // As in access.ts: while the table is a type parameter, calls are written against one of the tables it can be.
  const at = (locationId: number) => access.select(table as "trucks").where("location_id", "=", locationId);
  const typed = (rows: Matching<"trucks">) => rows as unknown as Matching<T>;
  return {
    insert,
    update,
    /** The record, when it belongs to the location and may be seen. */
    find: (locationId: number, id: number) => find(typed(at(locationId).where("id", "=", id))),
    /** `narrow` keeps some of the location's rows. */
    page: (locationId: number, paging: Paging, narrow: (rows: Matching<T>) => Matching<T> = (rows) => rows) =>
      page(narrow(typed(at(locationId))), paging),
  };
}
