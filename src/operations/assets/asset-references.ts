import type { SentReference } from "../records.ts";

interface AssetIds {
  asset_type_id?: number | null | undefined;
  customer_id?: number | null | undefined;
}

/** The ids of an asset's body that must belong to records of the tenant (OP-23); `before` is the asset that is changed. */
export function toAssetReferences(
  model: string,
  locationId: number,
  body: AssetIds,
  before: AssetIds = {},
): SentReference[] {
  const params = { location_id: locationId };
  return [
    [
      {
        field: `${model}.asset_type_id`,
        table: "asset_types",
        noun: "asset type",
        listedBy: { operation: "asset-types.list", params },
      },
      body.asset_type_id,
      before.asset_type_id,
    ],
    [
      {
        field: `${model}.customer_id`,
        table: "customers",
        noun: "customer",
        listedBy: { operation: "locations.customers", params },
      },
      body.customer_id,
      before.customer_id,
    ],
  ];
}
