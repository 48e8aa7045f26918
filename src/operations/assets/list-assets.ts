import { defineOperation } from "../../core/operation.ts";
import { assetFilters, JobAssetListModel } from "../../models/asset.ts";
import { id } from "../../models/fields.ts";
import { cursorPaging } from "../../models/page.ts";
import { listAtLocation } from "../records.ts";
import { toAssetAnswer } from "./asset-answer.ts";

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
