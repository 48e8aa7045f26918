import { defineOperation } from "../../core/operation.ts";
import { JobAssetTypeListModel } from "../../models/asset-type.ts";
import { id } from "../../models/fields.ts";
import { paging } from "../../models/page.ts";
import { listAtLocation } from "../records.ts";

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
