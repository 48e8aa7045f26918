import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { UpdateJobProfileModel } from "../../models/job-changes.ts";
import { changeJob } from "./change-job.ts";
import { changesJob } from "./get-job.ts";
import { requireRights } from "./job-rights.ts";

export const updateJob = defineOperation({
  name: "jobs.update",
  summary: "Change a job, or say how far it has come",
  description:
    "Which fields a caller may change depends on its role. A change that the job's state does not allow is 409; a deleted job can only be restored. A driver completes a job only when what its require_… fields ask for is there. Completing a job with a pickup_date makes its pickup job, once.",
  route: "PATCH /locations/{location_id}/jobs/{job_id}",
  params: { job_id: id(), location_id: id().describe("location identifier") },
  body: UpdateJobProfileModel,
  output: JobModel,
  allow: "anyRole",
  changes: changesJob,
  async run(context, { params, body }) {
    requireRights(context.actor, body);
    return changeJob(context, {
      asked: [],
      jobId: params.job_id,
      locationId: params.location_id,
      model: "UpdateJobProfileModel",
      sent: body,
    });
  },
});
