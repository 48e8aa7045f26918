import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type Expression,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from "kysely";
import type { TenantRows } from "../api.ts";
import type { Customer } from "../schema/customer.ts";
import type { Database, OwnedTable } from "../schema/database.ts";
import type { RevisionCache } from "./revision-cache.ts";
import type { RowScope } from "./row-scopes.ts";
import { narrowToVisible } from "./visibility.ts";

/**
 * The only way in which queries reach a tenant's tables: bound to the tenant and to what the caller may see,
 * so that a query without either cannot be written.
 */
export interface TenantAccess {
  readonly tenantId: number;
  /** Customers in memory. */
  readonly customers: CustomerCache;
  /** Whether the caller sees the records of all locations of every customer it sees. */
  seesAllLocations: boolean;
  /** Rows of the tenant that the caller may see (OP-53). */
  select<T extends OwnedTable>(table: T): SelectQueryBuilder<Database, T, object>;
  /** Rows of the tenant, seen or not: for checks whose answer shows nothing of the row. */
  selectUnseen<T extends OwnedTable>(table: T): SelectQueryBuilder<Database, T, object>;
  /** How many rows match; counting stops at `max`. */
  count<T extends OwnedTable>(
    matching: SelectQueryBuilder<Database, T, object>,
    max: number,
  ): Promise<number>;
  insert<T extends OwnedTable>(
    table: T,
    rows: Omit<InsertObject<Database, T>, "tenant_id"> | Omit<InsertObject<Database, T>, "tenant_id">[],
  ): InsertQueryBuilder<Database, T, object>;
  /** Inserts the rows that a query over the tenant's tables selects: `tenant_id` first, then these columns in order. */
  insertFrom<T extends OwnedTable>(
    table: T,
    columns: readonly (keyof Database[T] & string)[],
    selection: Expression<unknown>,
  ): InsertQueryBuilder<Database, T, InsertResult>;
  /** Deletes rows of the tenant for good: only what is kept for a time, like the delivery log. */
  delete<T extends OwnedTable>(table: T): DeleteQueryBuilder<Database, T, DeleteResult>;
  /** Updates rows of the tenant; the caller has selected them before, which checked that they may be seen. */
  update<T extends OwnedTable>(table: T): UpdateQueryBuilder<Database, T, T, UpdateResult>;
  /** Takes hold of the rows, without those that another transaction holds: for what several workers claim. */
  skipLocked<T extends OwnedTable, O>(
    rows: SelectQueryBuilder<Database, T, O>,
  ): SelectQueryBuilder<Database, T, O>;
}

export type CustomerCache = Pick<RevisionCache<Customer>, "get" | "keep">;

/** Binds a database, or a transaction of it, to a tenant and to the views of a caller. */
export function bindToTenant(
  { own: db, locksRows }: TenantRows,
  tenantId: number,
  rowScopes: readonly RowScope[],
  customers: CustomerCache,
): TenantAccess {
  // Kysely cannot resolve column names while the table is a type parameter. Every owned table has tenant_id, so the
  // calls below are written against one of them; what is returned is typed by the table that was asked for.
  const any = (table: OwnedTable) => table as "jobs";
  return {
    tenantId,
    customers,
    seesAllLocations:
      rowScopes.some(({ sees }) => sees === "tenant") || rowScopes.every(({ sees }) => sees !== "location"),
    select: <T extends OwnedTable>(table: T) => {
      const rows = db.selectFrom(any(table)).where(`${any(table)}.tenant_id`, "=", tenantId);
      return narrowToVisible(rows, table, tenantId, rowScopes) as unknown as SelectQueryBuilder<
        Database,
        T,
        object
      >;
    },
    selectUnseen: <T extends OwnedTable>(table: T) =>
      db
        .selectFrom(any(table))
        .where(`${any(table)}.tenant_id`, "=", tenantId) as unknown as SelectQueryBuilder<
        Database,
        T,
        object
      >,
    count: async <T extends OwnedTable>(matching: SelectQueryBuilder<Database, T, object>, max: number) => {
      const rows = matching as unknown as SelectQueryBuilder<Database, "jobs", object>;
      // The bound stands inside, so that a count over millions stops early.
      const bounded = rows.select(sql.lit(1).as("one")).limit(max).as("counted");
      const { total } = await db
        .selectFrom(bounded)
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    insert: <T extends OwnedTable>(
      table: T,
      rows: Omit<InsertObject<Database, T>, "tenant_id"> | Omit<InsertObject<Database, T>, "tenant_id">[],
    ) => {
      const owned = (Array.isArray(rows) ? rows : [rows]).map((row: object) => ({
        ...row,
        tenant_id: tenantId,
      }));
      return db
        .insertInto(any(table))
        .values(owned as unknown as InsertObject<Database, "jobs">[]) as unknown as InsertQueryBuilder<
        Database,
        T,
        object
      >;
    },
    insertFrom: <T extends OwnedTable>(
      table: T,
      columns: readonly string[],
      selection: Expression<unknown>,
    ) =>
      db
        .insertInto(any(table))
        .columns(["tenant_id", ...columns] as never)
        .expression(selection as never) as unknown as InsertQueryBuilder<Database, T, InsertResult>,
    delete: <T extends OwnedTable>(table: T) =>
      db
        .deleteFrom(any(table))
        .where(`${any(table)}.tenant_id`, "=", tenantId) as unknown as DeleteQueryBuilder<
        Database,
        T,
        DeleteResult
      >,
    skipLocked: (rows) => (locksRows ? rows.forUpdate().skipLocked() : rows),
    update: <T extends OwnedTable>(table: T) =>
      db
        .updateTable(any(table))
        .where(`${any(table)}.tenant_id`, "=", tenantId) as unknown as UpdateQueryBuilder<
        Database,
        T,
        T,
        UpdateResult
      >,
  };
}
