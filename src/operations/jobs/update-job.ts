import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { DispatchJobRequestModel, UpdateJobProfileModel } from "../../models/job-changes.ts";
import { changeJob } from "./change-job.ts";
import { requireRights } from "./job-rights.ts";
import { changesJob } from "./read-jobs.ts";

export const updateJob = defineOperation({
  name: "jobs.update",
  summary: "Change a job, or report its progress",
  description:
    "The caller's roles decide which fields it may change. A change that the job's state does not allow is refused (409); a deleted job can only be restored. A driver can complete a job only after adding what its require_… fields demand. Completing a job with a pickup_date creates its pickup job, once.",
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

export const dispatchJob = defineOperation({
  name: "jobs.dispatch",
  summary: "Put a job on a truck, take it off, or reschedule it",
  description:
    "truck_id assigns the job to a truck, and null takes it off. new_schedule_date reschedules it. A truck that is out of service gets no jobs (409).",
  route: "PATCH /locations/{location_id}/jobs/{job_id}/dispatch",
  params: { job_id: id(), location_id: id().describe("location identifier") },
  body: DispatchJobRequestModel,
  output: JobModel,
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  changes: changesJob,
  async run(context, { params, body: { new_schedule_date, truck_id } }) {
    if (truck_id === undefined && new_schedule_date === undefined) {
      throw failure(
        "missing_value",
        `${model} must have a truck_id (null takes the job off its truck), a new_schedule_date, or both.`,
        model,
      );
    }
    return changeJob(context, {
      asked: [
        ...(truck_id === null ? (["return"] as const) : []),
        ...(new_schedule_date === undefined ? [] : (["reschedule"] as const)),
      ],
      jobId: params.job_id,
      locationId: params.location_id,
      model,
      sent: { schedule_date: new_schedule_date, truck_id },
    });
  },
});

const model = "DispatchJobRequestModel";
