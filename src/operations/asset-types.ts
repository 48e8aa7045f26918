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
import type { AssetType } from "../store/queries/location-records.ts";
import { recordsOfLocation, toNewFields } from "./record-changes.ts";
import { listAtLocation, requireLocation } from "./records.ts";

const assetTypes = recordsOfLocation({
  type: "AssetType",
  noun: "asset type",
  idParam: "asset_type_id",
  of: (store) => store.assetTypes,
});

export const getAssetType = defineOperation({
  name: "asset-types.get",
  summary: "Show an asset type",
  route: "GET /locations/{location_id}/asset_types/{asset_type_id}",
  params: { location_id: id(), asset_type_id: id() },
  output: JobAssetTypeModel,
  allow: "anyRole",
  extension: true,
  run: (context, { params }) => assetTypes.find(context, params),
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
    const type = await assetTypes.add(context, toNewAssetType(params.location_id, body));
    if (type.is_default) await clearOtherDefaults(context, type);
    return type;
  },
});

export function toNewAssetType(locationId: number, body: z.output<typeof CreateJobAssetTypeModel>) {
  return toNewFields(CreateJobAssetTypeModel, body, { ...assetTypeDefaults, location_id: locationId });
}

export const updateAssetType = defineOperation({
  name: "asset-types.update",
  summary: "Change an asset type, or delete it: its assets keep it",
  route: "PATCH /locations/{location_id}/asset_types/{asset_type_id}",
  params: { location_id: id(), asset_type_id: id() },
  body: UpdateJobAssetTypeModel,
  output: JobAssetTypeModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getAssetType },
  extension: true,
  async run(context, { params, body }) {
    const type = await assetTypes.change(context, await assetTypes.find(context, params), body);
    if (body.is_default) await clearOtherDefaults(context, type);
    return type;
  },
});

async function clearOtherDefaults(
  context: Context,
  { id, location_id }: Pick<AssetType, "id" | "location_id">,
): Promise<void> {
  for (const type of await context.store.assetTypes.defaultsAt(location_id)) {
    if (type.id !== id) await assetTypes.change(context, type, { is_default: false });
  }
}
