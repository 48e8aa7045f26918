import type { Selectable } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { locationRecordQueries } from "./location-records.ts";

export type Truck = ReturnType<typeof toRecord>;

export function truckQueries(access: TenantAccess) {
  return {
    ...locationRecordQueries(access, "trucks", { toRecord }),
    /** Visible or not, for the tenant's limit. */
    async countAll(): Promise<number> {
      return access.count(access.selectUnseen("trucks"), Number.MAX_SAFE_INTEGER);
    },
    /** For records that the caller sees. */
    async driverName(driverId: number): Promise<string | undefined> {
      const row = await access
        .selectUnseen("drivers")
        .where("id", "=", driverId)
        .select("name")
        .executeTakeFirst();
      return row?.name;
    },
  };
}

function toRecord({ tenant_id: _, ...row }: Selectable<Database["trucks"]>) {
  return {
    ...row,
    out_of_service: Boolean(row.out_of_service),
    require_odometer: Boolean(row.require_odometer),
  };
}
