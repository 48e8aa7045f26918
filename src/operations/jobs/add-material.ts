import { defineOperation } from "../../core/operation.ts";
import { failure, throwIfAny } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { CreateJobMaterialModel } from "../../models/job-parts.ts";
import { findUnknown } from "../records.ts";
import { findJobToAddTo, reportAddition, toMaterialReference } from "./add-to-job.ts";
import { changesJob } from "./get-job.ts";

export const addMaterial = defineOperation({
  name: "jobs.add-material",
  summary: "Add a material that was hauled, with its weights",
  route: "POST /locations/{location_id}/jobs/{job_id}/materials",
  params: { job_id: id(), location_id: id().describe("location identifier") },
  body: CreateJobMaterialModel,
  output: JobModel,
  allow: ["Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"],
  changes: changesJob,
  extension: true,
  async run(context, { params, body }) {
    const { actor, now, store } = context;
    const addition = { jobId: params.job_id, locationId: params.location_id, model };
    if (Object.values(body).every((value) => value === null || value === undefined))
      throw failure(
        "missing_value",
        `${model} must have one value at least: what it is, or a weight.`,
        model,
      );
    const kept = await findJobToAddTo(context, addition);
    throwIfAny(await findUnknown(context, [[toMaterialReference(addition), body.material_item_id]]));
    const material = {
      created_by: actor.user.id,
      created_on: now,
      heavy_weight: body.heavy_weight ?? null,
      job_id: params.job_id,
      light_weight: body.light_weight ?? null,
      material_item_id: body.material_item_id ?? null,
      material_name: body.material_name ?? null,
      quantity: body.quantity ?? null,
      tare_weight: body.tare_weight ?? null,
    };
    const materialId = await store.jobParts.addMaterial(material);
    return reportAddition(context, kept, { name: "material", record: { ...material, id: materialId } });
  },
});

const model = "CreateJobMaterialModel";
