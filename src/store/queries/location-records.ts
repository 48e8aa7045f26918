import type { Selectable } from "kysely";
import type { Paging } from "../../models/page.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
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
  const { page, insert, update } = recordQueries(access, table, form);
  // As in access.ts: while the table is a type parameter, calls are written against one of the tables it can be.
  const at = (locationId: number) => access.select(table as "trucks").where("location_id", "=", locationId);
  const typed = (rows: Matching<"trucks">) => rows as unknown as Matching<T>;
  return {
    insert,
    update,
    /** The record, when it belongs to the location and may be seen. */
    async find(locationId: number, id: number): Promise<R | undefined> {
      const [row] = await access.run(findRecord, { id, locationId }, table as "trucks");
      return row && form.toRecord(row as unknown as Selectable<Database[T]>);
    },
    /** `narrow` keeps some of the location's rows. */
    page: (locationId: number, paging: Paging, narrow: (rows: Matching<T>) => Matching<T> = (rows) => rows) =>
      page(narrow(typed(at(locationId))), paging),
  };
}

interface Place {
  id: Parameter<number>;
  locationId: Parameter<number>;
}

const findRecord = defineStatement(({ select }: TenantQueries, { id, locationId }: Place, table: "trucks") =>
  select(table).where("location_id", "=", locationId).where("id", "=", id).selectAll(),
);
