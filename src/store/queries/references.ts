import type { TenantAccess } from "../access/access.ts";
import type { NumberedTable } from "../schema/database.ts";

/** Tables that a body may point into with an id (OP-23). */
export type ReferencedTable = Extract<
  NumberedTable,
  | "addresses"
  | "asset_types"
  | "assets"
  | "customers"
  | "drivers"
  | "dump_destinations"
  | "jobs"
  | "locations"
  | "materials"
  | "trucks"
  | "users"
>;

/** What is known of a record that a body points to. */
export interface Referenced {
  /** The location it belongs to, where it has one. */
  locationId: number | null;
  /** What happened to it, when nothing new may point to it any more. */
  retired: string | null;
}

/** Whether ids that a body names belong to records of the tenant. */
export function referenceQueries(access: TenantAccess) {
  return {
    /** The record, when it exists and the caller may see it. */
    async find(table: ReferencedTable, id: number): Promise<Referenced | undefined> {
      const row: Record<string, unknown> | undefined = await access
        .select(table as "assets")
        .where("id", "=", id)
        .selectAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const { column, value, text } = retirements[table] ?? neverRetired;
      const locationId = typeof row.location_id === "number" ? row.location_id : null;
      return { locationId, retired: column !== null && Boolean(row[column]) === value ? text : null };
    },
  };
}

interface Retirement {
  column: string | null;
  value: boolean;
  text: string;
}

const neverRetired: Retirement = { column: null, value: true, text: "" };

/** The records that stay where they are named, and cannot be named anew. */
const retirements: Partial<Record<ReferencedTable, Retirement>> = {
  asset_types: { column: "deleted", value: true, text: "was deleted" },
  drivers: { column: "is_deactivated", value: true, text: "was deactivated" },
  dump_destinations: { column: "is_active", value: false, text: "was removed" },
};
