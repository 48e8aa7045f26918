import type * as z from "zod";
import { defineOperation } from "../core/operation.ts";
import { throwIfAny } from "../errors/errors.ts";
import {
  assetFilters,
  CreateJobAssetModel,
  JobAssetListModel,
  JobAssetModel,
  UpdateJobAssetModel,
} from "../models/asset.ts";
import { id } from "../models/fields.ts";
import { toWholeAddress } from "../models/location-address.ts";
import { cursorPaging } from "../models/page.ts";
import type { TypedAsset } from "../store/queries/location-records.ts";
import { recordsOfLocation, toNewFields } from "./record-changes.ts";
import { findUnknown, listAtLocation, requireLocation, type SentReference } from "./records.ts";

const assets = recordsOfLocation({
  type: "Asset",
  noun: "asset",
  idParam: "asset_id",
  of: (store) => store.assets,
});

export const getAsset = defineOperation({
  name: "assets.get",
  summary: "Show an asset",
  route: "GET /locations/{location_id}/assets/{asset_id}",
  params: { location_id: id(), asset_id: id() },
  output: JobAssetModel,
  allow: "anyRole",
  extension: true,
  async run(context, { params }) {
    return toAssetAnswer(await context.store.assets.withType(await assets.find(context, params)));
  },
});

export const listAssets = defineOperation({
  name: "assets.list",
  summary: "List the assets of a location",
  route: "GET /locations/{location_id}/assets",
  params: { location_id: id() },
  query: { ...cursorPaging, ...assetFilters },
  output: JobAssetListModel,
  allow: "anyRole",
  extension: true,
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, async (wanted) => {
      const { assets } = context.store;
      const page = await assets.pageOf(params.location_id, query, wanted);
      return { ...page, rows: (await assets.withTypes(page.rows)).map(toAssetAnswer) };
    }),
});

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
    await requireLocation(context, params.location_id);
    const references = toAssetReferences("CreateJobAssetModel", params.location_id, body);
    throwIfAny(await findUnknown(context, references));
    const asset = await assets.add(context, toNewAsset(params.location_id, body));
    return toAssetAnswer(await context.store.assets.withType(asset));
  },
});

export function toNewAsset(locationId: number, body: z.output<typeof CreateJobAssetModel>) {
  return toNewFields(CreateJobAssetModel, body, { is_returned: false, location_id: locationId });
}

export const updateAsset = defineOperation({
  name: "assets.update",
  summary: "Change an asset: its type, its place, or its details",
  route: "PATCH /locations/{location_id}/assets/{asset_id}",
  params: { location_id: id(), asset_id: id() },
  body: UpdateJobAssetModel,
  output: JobAssetModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getAsset },
  extension: true,
  async run(context, { params, body }) {
    const before = await assets.find(context, params);
    const references = toAssetReferences("UpdateJobAssetModel", params.location_id, body, before);
    throwIfAny(await findUnknown(context, references));
    const after = await assets.change(context, before, body);
    return toAssetAnswer(await context.store.assets.withType(after));
  },
});

function toAssetAnswer(asset: TypedAsset) {
  return { ...asset, location: toWholeAddress(asset.location) };
}

interface AssetIds {
  asset_type_id?: number | null | undefined;
  customer_id?: number | null | undefined;
}

function toAssetReferences(
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
