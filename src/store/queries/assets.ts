import type { Selectable } from "kysely";
import type { AssetFilters } from "../../models/asset.ts";
import type { SentAddress } from "../../models/location-address.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { type AssetType, toAssetType } from "./asset-types.ts";
import { type Conditions, filterRows } from "./filters.ts";
import { locationRecordQueries } from "./location-records.ts";

/** `location`, its place, is stored as sent. */
export type Asset = ReturnType<typeof toAsset>;

/** With its type, which may be deleted. */
export type TypedAsset = Asset & { asset_type: AssetType | null };

export function assetQueries(access: TenantAccess) {
  const queries = locationRecordQueries(access, "assets", { toRecord: toAsset, toRow });
  const loadTypes = async (ids: readonly number[]): Promise<Map<number | null, AssetType>> => {
    if (ids.length === 0) return new Map();
    const rows = await access.selectUnseen("asset_types").where("id", "in", ids).selectAll().execute();
    return new Map(rows.map((row) => [row.id, toAssetType(row)]));
  };
  const withTypes = async (assets: readonly Asset[]): Promise<TypedAsset[]> => {
    const named = new Set(assets.map((asset) => asset.asset_type_id));
    const types = await loadTypes([...named].filter((id) => id !== null));
    return assets.map((asset) => toTyped(asset, types));
  };
  return {
    ...queries,
    pageOf: (locationId: number, filters: AssetFilters, paging: Paging): Promise<Page<Asset>> =>
      queries.page(locationId, paging, (rows) => filterRows(access, rows, filters, conditions)),
    withTypes,
    withType: async (asset: Asset): Promise<TypedAsset> =>
      toTyped(asset, await loadTypes(asset.asset_type_id === null ? [] : [asset.asset_type_id])),
  };
}

const conditions: Conditions<"assets", AssetFilters> = {
  asset_type_id: (assets, value) => assets.where("asset_type_id", "=", value),
  customer_id: (assets, value) => assets.where("customer_id", "=", value),
  is_returned: (assets, value) => assets.where("is_returned", "=", value),
};

function toTyped(asset: Asset, types: ReadonlyMap<number | null, AssetType>): TypedAsset {
  return { ...asset, asset_type: types.get(asset.asset_type_id) ?? null };
}

export function toAsset({ tenant_id: _, ...row }: Selectable<Database["assets"]>) {
  return {
    ...row,
    is_returned: Boolean(row.is_returned),
    location: row.location === null ? null : (JSON.parse(row.location) as SentAddress),
  };
}

function toRow({ location, ...fields }: Partial<Asset>) {
  if (location === undefined) return fields;
  return { ...fields, location: location === null ? null : JSON.stringify(location) };
}
