import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { MaterialListModel } from "../../models/material.ts";
import { paging } from "../../models/page.ts";
import { listAtLocation } from "../records.ts";

export const listMaterials = defineOperation({
  name: "materials.list",
  summary: "List the materials of a location",
  route: "GET /locations/{location_id}/materials",
  params: { location_id: id() },
  query: paging,
  output: MaterialListModel,
  allow: "anyRole",
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (wanted) =>
      context.store.materials.page(params.location_id, wanted),
    ),
});
