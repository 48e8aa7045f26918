import { defineOperation } from "../../core/operation.ts";
import { throwIfAny } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { AdditionalItemModel, CreateAdditionalItemModel } from "../../models/job-parts.ts";
import { findUnknown } from "../records.ts";
import { findJobToAddTo, reportAddition, toMaterialReference } from "./add-to-job.ts";
import { changesJob } from "./get-job.ts";

export const addItem = defineOperation({
  name: "jobs.add-item",
  summary: "Add an additional item to a job, with its weights",
  route: "POST /locations/{location_id}/jobs/{job_id}/additional_items",
  params: { job_id: id(), location_id: id().describe("location identifier") },
  body: CreateAdditionalItemModel,
  output: AdditionalItemModel,
  allow: ["Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"],
  changes: changesJob,
  async run(context, { params, body }) {
    const { actor, now, store } = context;
    const addition = {
      jobId: params.job_id,
      locationId: params.location_id,
      model: "CreateAdditionalItemModel",
    };
    const kept = await findJobToAddTo(context, addition);
    throwIfAny(await findUnknown(context, [[toMaterialReference(addition), body.material_item_id]]));
    const item = {
      created_by: actor.user.id,
      created_on: now,
      deduct_weight: body.deduct_weight,
      description: body.description,
      heavy_weight: body.heavy_weight,
      is_completed: body.is_completed ?? false,
      is_declined: body.is_declined ?? false,
      is_failed: body.is_failed ?? false,
      job_id: params.job_id,
      light_weight: body.light_weight ?? null,
      material_item_id: body.material_item_id ?? null,
      notes: body.notes ?? null,
      quantity: body.quantity ?? null,
    };
    const made = { ...item, id: await store.jobParts.addItem(item) };
    await reportAddition(context, kept, { name: "additional_item", record: made });
    return made;
  },
});
