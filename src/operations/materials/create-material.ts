import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { CreateMaterialModel, MaterialModel } from "../../models/material.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { requireLocation } from "../records.ts";

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
    const fields = toNewFields(CreateMaterialModel, body, {
      created_on: context.now,
      location_id: params.location_id,
    });
    return addRecord(context, "Material", context.store.materials, fields);
  },
});
