import { defineOperation } from "../../core/operation.ts";
import { JobAssetTypeModel, UpdateJobAssetTypeModel } from "../../models/asset-type.ts";
import { id } from "../../models/fields.ts";
import { changeRecord, toPatched } from "../record-changes.ts";
import { found } from "../records.ts";
import { clearOtherDefaults } from "./clear-other-defaults.ts";
import { getAssetType } from "./get-asset-type.ts";

export const updateAssetType = defineOperation({
  name: "asset-types.update",
  summary: "Change an asset type, or delete it: what is of this type stays so",
  route: "PATCH /locations/{location_id}/asset_types/{asset_type_id}",
  params: { location_id: id(), asset_type_id: id() },
  body: UpdateJobAssetTypeModel,
  output: JobAssetTypeModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getAssetType },
  extension: true,
  async run(context, { params, body }) {
    const { assetTypes } = context.store;
    const before = found(
      await assetTypes.find(params.location_id, params.asset_type_id),
      "asset type",
      params.asset_type_id,
    );
    const after = toPatched(before, body);
    const type = await changeRecord(context, "AssetType", assetTypes, before, after);
    if (body.is_default) await clearOtherDefaults(context, type);
    return type;
  },
});
