import { defineOperation } from "../../core/operation.ts";
import { JobAssetTypeModel } from "../../models/asset-type.ts";
import { id } from "../../models/fields.ts";
import { found } from "../records.ts";

export const getAssetType = defineOperation({
  name: "asset-types.get",
  summary: "Show an asset type",
  route: "GET /locations/{location_id}/asset_types/{asset_type_id}",
  params: { location_id: id(), asset_type_id: id() },
  output: JobAssetTypeModel,
  allow: "anyRole",
  extension: true,
  async run({ store }, { params }) {
    return found(
      await store.assetTypes.find(params.location_id, params.asset_type_id),
      "asset type",
      params.asset_type_id,
    );
  },
});
