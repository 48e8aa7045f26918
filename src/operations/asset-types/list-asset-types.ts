import { defineOperation } from "../../core/operation.ts";
import { JobAssetTypeListModel } from "../../models/asset-type.ts";
import { id } from "../../models/fields.ts";
import { paging } from "../../models/page.ts";
import { roles } from "../../models/user.ts";
import { listAtLocation } from "../records.ts";

export const listAssetTypes = defineOperation({
  name: "asset-types.list",
  summary: "List the asset types of a location, deleted ones too",
  method: "GET",
  path: "/locations/{location_id}/asset_types",
  params: { location_id: id() },
  query: paging,
  body: null,
  output: JobAssetTypeListModel,
  roles,
  effect: "read",
  extension: true,
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (wanted) =>
      context.store.assetTypes.page(params.location_id, wanted),
    ),
});
