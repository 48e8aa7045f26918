import type * as z from "zod";
import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import {
  assetTypeDefaults,
  CreateJobAssetTypeModel,
  JobAssetTypeListModel,
  JobAssetTypeModel,
  UpdateJobAssetTypeModel,
} from "../models/asset-type.ts";
import { id } from "../models/fields.ts";
import { paging } from "../models/page.ts";
import type { AssetType } from "../store/queries/asset-types.ts";
import { addRecord, changeRecord, toNewFields, toPatched } from "./record-changes.ts";
import { found, listAtLocation, requireLocation } from "./records.ts";

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

export const listAssetTypes = defineOperation({
  name: "asset-types.list",
  summary: "List the asset types of a location, deleted ones too",
  route: "GET /locations/{location_id}/asset_types",
  params: { location_id: id() },
  query: paging,
  output: JobAssetTypeListModel,
  allow: "anyRole",
  extension: true,
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (wanted) =>
      context.store.assetTypes.page(params.location_id, wanted),
    ),
});

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

/** Takes the mark of the default type from all other types of the location, and reports the changes. */
async function clearOtherDefaults(
  context: Context,
  { id, location_id }: Pick<AssetType, "id" | "location_id">,
): Promise<void> {
  const { assetTypes } = context.store;
  for (const type of await assetTypes.defaultsAt(location_id)) {
    if (type.id === id) continue;
    await changeRecord(context, "AssetType", assetTypes, type, { ...type, is_default: false });
  }
}
