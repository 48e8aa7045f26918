import { defineOperation } from "../core/operation.ts";
import { id } from "../models/fields.ts";
import { CreateMaterialModel, MaterialListModel, MaterialModel } from "../models/material.ts";
import { paging } from "../models/page.ts";
import { addRecord, toNewFields } from "./record-changes.ts";
import { listAtLocation, requireLocation } from "./records.ts";

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

export const createMaterial = defineOperation({
  name: "materials.create",
  summary: "Create a material",
  route: "POST /locations/{location_id}/materials",
  params: { location_id: id() },
  body: CreateMaterialModel,
  output: MaterialModel,
  allow: ["Admin", "Dispatcher"],
  extension: true,
  async run(context, { params, body }) {
    await requireLocation(context, params.location_id);
    const defaults = { created_on: context.now, location_id: params.location_id };
    const fields = toNewFields(CreateMaterialModel, body, defaults);
    return addRecord(context, "Material", context.store.materials, fields);
  },
});
