import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { MaterialListModel } from "../../models/material.ts";
import { paging } from "../../models/page.ts";
import { roles } from "../../models/user.ts";
import { listAtLocation } from "../records.ts";

export const listMaterials = defineOperation({
  name: "materials.list",
  summary: "List the materials of a location",
  method: "GET",
  path: "/locations/{location_id}/materials",
  params: { location_id: id() },
  query: paging,
  body: null,
  output: MaterialListModel,
  roles,
  effect: "read",
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (wanted) =>
      context.store.materials.page(params.location_id, wanted),
    ),
});
