import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { UpdateJobProfileModel } from "../../models/job-changes.ts";
import { roles } from "../../models/user.ts";
import { changeJob } from "./change-job.ts";
import { describeJobLife, type JobAction, jobLife } from "./job-life.ts";
import { describeJobRights, requireRights } from "./job-rights.ts";

const actions = (Object.keys(jobLife) as JobAction[]).filter((action) => action !== "reschedule");

const proofNote = `A driver completes a job only when what its require_… fields ask for is there.
Completing a job with a pickup_date makes its pickup job, once.`;

export const updateJob = defineOperation({
  name: "jobs.update",
  summary: "Change a job, or say how far it has come",
  method: "PATCH",
  path: "/locations/{location_id}/jobs/{job_id}",
  params: { job_id: id(), location_id: id().describe("location identifier") },
  query: {},
  body: UpdateJobProfileModel,
  output: JobModel,
  roles,
  effect: "write",
  emits: ["Job"],
  cli: {
    example: 'jobs update 1 --location 1 --dispatcher-notes "Call first"',
    notes: [describeJobLife(actions), describeJobRights(), proofNote].join("\n\n"),
    verbs: [
      {
        verb: "complete",
        summary: "Complete a job (is_completed true)",
        body: { is_completed: true },
        keeps: ["completed_on", "completed_by", "driver_notes"],
        example: "jobs complete 2 --location 1",
      },
      {
        verb: "fail",
        summary: "Mark a job as failed (is_failed true)",
        body: { is_failed: true },
        keeps: ["fail_reason", "driver_notes"],
        example: 'jobs fail 2 --location 1 --fail-reason "Gate locked"',
      },
      {
        verb: "acknowledge",
        summary: "Acknowledge a job (is_acknowledged true)",
        body: { is_acknowledged: true },
        keeps: ["driver_notes"],
        example: "jobs acknowledge 2 --location 1",
      },
      {
        verb: "decline",
        summary: "Decline a job (is_declined true)",
        body: { is_declined: true },
        keeps: ["driver_notes"],
        example: "jobs decline 2 --location 1",
      },
      {
        verb: "delete",
        summary: "Delete a job (is_deleted true)",
        body: { is_deleted: true },
        keeps: [],
        isSevere: true,
        example: "jobs delete 1 --location 1 --yes",
      },
      {
        verb: "restore",
        summary: "Restore a deleted job (is_deleted false)",
        body: { is_deleted: false },
        keeps: [],
        example: "jobs restore 1 --location 1",
      },
    ],
  },
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
