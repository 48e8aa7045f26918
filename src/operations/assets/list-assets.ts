import { defineOperation } from "../../core/operation.ts";
import { JobAssetListModel } from "../../models/asset.ts";
import { boolean, id } from "../../models/fields.ts";
import { optional } from "../../models/model.ts";
import { cursorPaging } from "../../models/page.ts";
import { roles } from "../../models/user.ts";
import { listAtLocation } from "../records.ts";
import { toAssetAnswer } from "./asset-answer.ts";

export const listAssets = defineOperation({
  name: "assets.list",
  summary: "List the assets of a location",
  method: "GET",
  path: "/locations/{location_id}/assets",
  params: { location_id: id() },
  query: {
    ...cursorPaging,
    asset_type_id: optional(id().describe("only assets of this type")),
    customer_id: optional(id().describe("only assets that stand at this customer")),
    is_returned: optional(boolean().describe("true only those back in the yard, false only the others")),
  },
  body: null,
  output: JobAssetListModel,
  roles,
  effect: "read",
  extension: true,
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, async (wanted) => {
      const { assets } = context.store;
      const filters = {
        asset_type_id: query.asset_type_id ?? null,
        customer_id: query.customer_id ?? null,
        is_returned: query.is_returned ?? null,
      };
      const page = await assets.pageOf(params.location_id, filters, wanted);
      return { ...page, rows: (await assets.withTypes(page.rows)).map(toAssetAnswer) };
    }),
});
