import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import type { NumberedTable } from "../schema/database.ts";

/** The tables whose records a body may refer to by id (OP-23). */
export type ReferencedTable = Extract<
  NumberedTable,
  | "addresses"
  | "asset_types"
  | "assets"
  | "contacts"
  | "customers"
  | "drivers"
  | "dump_destinations"
  | "jobs"
  | "locations"
  | "materials"
  | "trucks"
  | "users"
>;

/** What the store knows about a record that a body refers to. */
export interface Referenced {
  /** The customer that it names, where it has one. */
  customerId: number | null;
  /** The location it belongs to, where it has one. */
  locationId: number | null;
  /** Why nothing new may refer to it any more; absent while something may. */
  retired: string | null;
}

/** Whether ids that a body names belong to records of the tenant. */
export function referenceQueries(access: TenantAccess) {
  return {
    /** The record, when it exists and the caller may see it. */
    async find(table: ReferencedTable, id: number): Promise<Referenced | undefined> {
      const [row]: Record<string, unknown>[] = await access.run(findReferenced, { id }, table as "assets");
      if (!row) return undefined;
      const { column, value, text } = retirements[table] ?? neverRetired;
      return {
        customerId: toId(row.customer_id),
        locationId: toId(row.location_id),
        retired: column !== null && Boolean(row[column]) === value ? text : null,
      };
    },
  };
}

const toId = (value: unknown) => (typeof value === "number" ? value : null);

const findReferenced = defineStatement(
  ({ select }: TenantQueries, { id }: { id: Parameter<number> }, table: "assets") =>
    select(table).where("id", "=", id).selectAll(),
);

interface Retirement {
  /** The column that says so, and its value then. */
  column: string | null;
  value: boolean;
  text: string;
}

const neverRetired: Retirement = { column: null, value: true, text: "" };

/** When nothing new may refer to a record; what refers to it already stays. */
export const retirements: Partial<Record<ReferencedTable, Retirement>> = {
  asset_types: { column: "deleted", value: true, text: "was deleted" },
  drivers: { column: "is_deactivated", value: true, text: "was deactivated" },
  dump_destinations: { column: "is_active", value: false, text: "was removed" },
};
