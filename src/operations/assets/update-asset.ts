import { defineOperation } from "../../core/operation.ts";
import { throwIfAny } from "../../errors/errors.ts";
import { JobAssetModel, UpdateJobAssetModel } from "../../models/asset.ts";
import { id } from "../../models/fields.ts";
import { changeRecord, toPatched } from "../record-changes.ts";
import { findUnknown, found } from "../records.ts";
import { toAssetAnswer } from "./asset-answer.ts";
import { toAssetReferences } from "./asset-references.ts";
import { getAsset } from "./get-asset.ts";

export const updateAsset = defineOperation({
  name: "assets.update",
  summary: "Change an asset: its type, where it stands, its particulars",
  route: "PATCH /locations/{location_id}/assets/{asset_id}",
  params: { location_id: id(), asset_id: id() },
  body: UpdateJobAssetModel,
  output: JobAssetModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getAsset },
  extension: true,
  async run(context, { params, body }) {
    const { assets } = context.store;
    const before = found(await assets.find(params.location_id, params.asset_id), "asset", params.asset_id);
    const references = toAssetReferences("UpdateJobAssetModel", params.location_id, body, before);
    throwIfAny(await findUnknown(context, references));
    const after = toPatched(before, body);
    const changed = await changeRecord(context, "Asset", assets, before, after);
    return toAssetAnswer(await assets.withType(changed));
  },
});
