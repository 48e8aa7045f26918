import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import type { NumberedTable } from "../schema/database.ts";

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

export interface Referenced {
  customerId: number | null;
  locationId: number | null;
  /** Why new references are refused; null if they are allowed. */
  retired: string | null;
}

export function referenceQueries(access: TenantAccess) {
  return {
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
  column: string | null;
  value: boolean;
  text: string;
}

const neverRetired: Retirement = { column: null, value: true, text: "" };

/** A retired record takes no new references; existing ones stay. */
export const retirements: Partial<Record<ReferencedTable, Retirement>> = {
  asset_types: { column: "deleted", value: true, text: "was deleted" },
  drivers: { column: "is_deactivated", value: true, text: "was deactivated" },
  dump_destinations: { column: "is_active", value: false, text: "was removed" },
};
