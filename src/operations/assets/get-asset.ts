import { defineOperation } from "../../core/operation.ts";
import { JobAssetModel } from "../../models/asset.ts";
import { id } from "../../models/fields.ts";
import { found } from "../records.ts";
import { toAssetAnswer } from "./asset-answer.ts";

export const getAsset = defineOperation({
  name: "assets.get",
  summary: "Show an asset",
  route: "GET /locations/{location_id}/assets/{asset_id}",
  params: { location_id: id(), asset_id: id() },
  output: JobAssetModel,
  allow: "anyRole",
  extension: true,
  async run({ store }, { params }) {
    const asset = await store.assets.find(params.location_id, params.asset_id);
    return toAssetAnswer(await store.assets.withType(found(asset, "asset", params.asset_id)));
  },
});
