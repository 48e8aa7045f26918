import { type Selectable, type SqlBool, sql } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import type { Database, NumberedTable } from "../schema/database.ts";
import { type Matching, readPage } from "./pages.ts";
import { type RecordForm, recordQueries } from "./records.ts";

type LocationOwnedTable = {
  [T in NumberedTable]: Database[T] extends { location_id: number } ? T : never;
}[NumberedTable];

/** Finds and lists records of the named location only. */
export function locationRecordQueries<T extends LocationOwnedTable, R extends { id: number }>(
  access: TenantAccess,
  table: T,
  form: RecordForm<T, R>,
) {
  const { page, insert, update } = recordQueries(access, table, form);
  // As in access.ts: `table` is a type parameter, so calls have the types of one of its tables.
  const at = (locationId: number) => access.select(table as "trucks").where("location_id", "=", locationId);
  const typed = (rows: Matching<"trucks">) => rows as unknown as Matching<T>;
  /** By location, then by id, which is the order of an index. */
  const pageOfAll = async (paging: Paging) => {
    const all = access.select(table as "trucks");
    const isSeen = access.select("locations").select("id");
    const seen = access.coversTenant ? all : all.where("location_id", "in", isSeen);
    const behind = keepBehind(seen, paging.after);
    const show = (rows: typeof behind) => rows.selectAll().orderBy("location_id").orderBy("id");
    const page = await readPage(access, seen, paging, show, { behind });
    const rows = page.rows.map((row) => form.toRecord(row as unknown as Selectable<Database[T]>));
    return { ...page, rows };
  };
  return {
    insert,
    update,
    /** Undefined for a record of another location, or one that the caller does not see. */
    async find(locationId: number, id: number): Promise<R | undefined> {
      const [row] = await access.run(findRecord, { id, locationId }, table as "trucks");
      return row && form.toRecord(row as unknown as Selectable<Database[T]>);
    },
    /** null lists the records of all locations that the caller sees. */
    page: (
      locationId: number | null,
      paging: Paging,
      narrow: (rows: Matching<T>) => Matching<T> = (rows) => rows,
    ): Promise<Page<R>> =>
      locationId === null ? pageOfAll(paging) : page(narrow(typed(at(locationId))), paging),
  };
}

function keepBehind(rows: Matching<"trucks">, after: Paging["after"]): Matching<"trucks"> {
  if (typeof after !== "object" || after === null || !("location_id" in after)) return rows;
  return rows.where(sql<SqlBool>`(location_id, id) > (${after.location_id}, ${after.id})`);
}

interface RecordIds {
  id: Parameter<number>;
  locationId: Parameter<number>;
}

const findRecord = defineStatement(
  ({ select }: TenantQueries, { id, locationId }: RecordIds, table: "trucks") =>
    select(table).where("location_id", "=", locationId).where("id", "=", id).selectAll(),
);
