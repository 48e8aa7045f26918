import { defineOperation } from "../../core/operation.ts";
import { JobAssetModel } from "../../models/asset.ts";
import { id } from "../../models/fields.ts";
import { roles } from "../../models/user.ts";
import { found } from "../records.ts";
import { toAssetAnswer } from "./asset-answer.ts";

export const getAsset = defineOperation({
  name: "assets.get",
  summary: "Show an asset",
  method: "GET",
  path: "/locations/{location_id}/assets/{asset_id}",
  params: { location_id: id(), asset_id: id() },
  query: {},
  body: null,
  output: JobAssetModel,
  roles,
  effect: "read",
  extension: true,
  async run({ store }, { params }) {
    const asset = await store.assets.find(params.location_id, params.asset_id);
    return toAssetAnswer(await store.assets.withType(found(asset, "asset", params.asset_id)));
  },
});
