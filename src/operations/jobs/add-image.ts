import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { CreateJobImageModel } from "../../models/job-parts.ts";
import { findJobToAddTo, reportAddition } from "./add-to-job.ts";
import { changesJob } from "./get-job.ts";

export const addImage = defineOperation({
  name: "jobs.add-image",
  summary: "Add an image to a job, by its address",
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
