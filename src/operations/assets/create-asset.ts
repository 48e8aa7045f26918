import type * as z from "zod";
import { defineOperation } from "../../core/operation.ts";
import { throwIfAny } from "../../errors/errors.ts";
import { CreateJobAssetModel, JobAssetModel } from "../../models/asset.ts";
import { id } from "../../models/fields.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { findUnknown, requireLocation } from "../records.ts";
import { toAssetAnswer } from "./asset-answer.ts";
import { toAssetReferences } from "./asset-references.ts";
import { getAsset } from "./get-asset.ts";

export const createAsset = defineOperation({
  name: "assets.create",
  summary: "Create an asset",
  route: "POST /locations/{location_id}/assets",
  params: { location_id: id() },
  body: CreateJobAssetModel,
  output: JobAssetModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getAsset },
  extension: true,
  async run(context, { params, body }) {
    const { assets } = context.store;
    await requireLocation(context, params.location_id);
    const references = toAssetReferences("CreateJobAssetModel", params.location_id, body);
    throwIfAny(await findUnknown(context, references));
    const fields = toNewAsset(params.location_id, body);
    return toAssetAnswer(await assets.withType(await addRecord(context, "Asset", assets, fields)));
  },
});

/** An asset that is where the body says. */
export function toNewAsset(locationId: number, body: z.output<typeof CreateJobAssetModel>) {
  return toNewFields(CreateJobAssetModel, body, { is_returned: false, location_id: locationId });
}
