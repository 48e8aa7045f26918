import type * as z from "zod";
import { defineOperation } from "../../core/operation.ts";
import { assetTypeDefaults, CreateJobAssetTypeModel, JobAssetTypeModel } from "../../models/asset-type.ts";
import { id } from "../../models/fields.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { requireLocation } from "../records.ts";
import { clearOtherDefaults } from "./clear-other-defaults.ts";
import { getAssetType } from "./get-asset-type.ts";

export const createAssetType = defineOperation({
  name: "asset-types.create",
  summary: "Create an asset type",
  route: "POST /locations/{location_id}/asset_types",
  params: { location_id: id() },
  body: CreateJobAssetTypeModel,
  output: JobAssetTypeModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getAssetType },
  extension: true,
  async run(context, { params, body }) {
    await requireLocation(context, params.location_id);
    const fields = toNewAssetType(params.location_id, body);
    const type = await addRecord(context, "AssetType", context.store.assetTypes, fields);
    if (type.is_default) await clearOtherDefaults(context, type);
    return type;
  },
});

/** An asset type that is in use. */
export function toNewAssetType(locationId: number, body: z.output<typeof CreateJobAssetTypeModel>) {
  return toNewFields(CreateJobAssetTypeModel, body, { ...assetTypeDefaults, location_id: locationId });
}
