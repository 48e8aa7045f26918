import type { Selectable } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { locationRecordQueries } from "./location-records.ts";

export type AssetType = ReturnType<typeof toAssetType>;

export function assetTypeQueries(access: TenantAccess) {
  return {
    ...locationRecordQueries(access, "asset_types", { toRecord: toAssetType }),
    /** Normally one. */
    async defaultsAt(locationId: number): Promise<AssetType[]> {
      const rows = await access
        .select("asset_types")
        .where("location_id", "=", locationId)
        .where("is_default", "=", true)
        .selectAll()
        .orderBy("id")
        .execute();
      return rows.map(toAssetType);
    },
  };
}

export function toAssetType({ tenant_id: _, ...row }: Selectable<Database["asset_types"]>) {
  return {
    ...row,
    deleted: Boolean(row.deleted),
    is_default: Boolean(row.is_default),
    require_numbers: Boolean(row.require_numbers),
  };
}
