import type { TenantAccess } from "../access.ts";
import type { NumberedTable } from "../database.ts";

/** Tables that a body may point into with an id (OP-23). */
export type ReferencedTable = Extract<
  NumberedTable,
  | "addresses"
  | "asset_types"
  | "assets"
  | "customers"
  | "drivers"
  | "dump_destinations"
  | "locations"
  | "materials"
  | "trucks"
  | "users"
>;

/** Whether ids that a body names belong to records of the tenant. */
export function referenceQueries(access: TenantAccess) {
  return {
    /** True when the record exists and the caller may see it. */
    async isThere(table: ReferencedTable, id: number): Promise<boolean> {
      const row = await access
        .select(table as "assets")
        .where("id", "=", id)
        .select("id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
