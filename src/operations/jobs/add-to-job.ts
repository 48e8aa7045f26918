import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure, throwIfAny } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import {
  AdditionalItemModel,
  CreateAdditionalItemModel,
  CreateJobImageModel,
  CreateJobMaterialModel,
} from "../../models/job-parts.ts";
import type { StoredJob } from "../../store/queries/job-embeds.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { findUnknown, found, type Reference } from "../records.ts";
import { requireSteps } from "./job-steps.ts";
import { changesJob } from "./read-jobs.ts";

export const addImage = defineOperation({
  name: "jobs.add-image",
  summary: "Add an image to a job, by its URL",
  description:
    'An image whose description begins with "signature" is the signature that a job with require_signature asks for.',
  route: "POST /locations/{location_id}/jobs/{job_id}/images",
  params: { job_id: id(), location_id: id().describe("location identifier") },
  body: CreateJobImageModel,
  output: JobModel,
  allow: ["Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"],
  changes: changesJob,
  extension: true,
  async run(context, { params, body }) {
    const { actor, now, store } = context;
    const kept = await findJobToAddTo(context, {
      jobId: params.job_id,
      locationId: params.location_id,
      model: "CreateJobImageModel",
    });
    const image = {
      created_by: actor.user.id,
      created_on: now,
      description: body.description ?? null,
      job_id: params.job_id,
      url: body.url,
    };
    const imageId = await store.jobParts.addImage(image);
    return reportAddition(context, kept, { name: "image", record: { ...image, id: imageId } });
  },
});

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
      throw failure("missing_value", `${model} must have at least one value: a material or a weight.`, model);
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

interface Addition {
  locationId: number;
  jobId: number;
  model: string;
}

/** Throws if the job is deleted. */
async function findJobToAddTo({ store }: Context, addition: Addition): Promise<AdditionTo> {
  const kept = found(
    await store.jobs.findToChange(addition.locationId, addition.jobId),
    "job",
    addition.jobId,
  );
  requireSteps(kept.job, kept.job, ["edit"], addition);
  return kept;
}

type AdditionTo = NonNullable<Awaited<ReturnType<Context["store"]["jobs"]["find"]>>>;

/** Records an update of the job, under `name` in the audit trail. Returns the job. */
async function reportAddition(
  { now, store, changed }: Context,
  { job: before, metadata, row }: AdditionTo,
  added: { name: string; record: object },
): Promise<StoredJob> {
  const after: Job = { ...before, last_updated_on: now };
  const counts = {
    ...row,
    ...(added.name === "image" && { image_count: row.image_count + 1 }),
    ...(added.name === "material" && { material_count: row.material_count + 1 }),
  };
  const written = await store.jobs.update(after, metadata, counts, now);
  const shown = await store.jobs.showWritten(written);
  changed({
    type: "Job",
    action: "updated",
    id: after.id,
    before,
    after: { ...after, [added.name]: added.record },
    data: await store.jobs.toEventPayload(written, shown),
  });
  return shown;
}

function toMaterialReference({ locationId, model }: Addition): Reference {
  return {
    field: `${model}.material_item_id`,
    table: "materials",
    noun: "material",
    listedBy: { operation: "materials.list", params: { location_id: locationId } },
  };
}
