import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { UpdateJobProfileModel } from "../../models/job-changes.ts";
import { roles } from "../../models/user.ts";
import { defineOperation } from "../../operation.ts";
import { changeJob } from "./change-job.ts";
import { describeJobLife, type JobAction, jobLife } from "./job-life.ts";
import { describeJobRights, requireRights } from "./job-rights.ts";

const actions = (Object.keys(jobLife) as JobAction[]).filter((action) => action !== "reschedule");

export const updateJob = defineOperation({
  name: "jobs.update",
  summary: "Change a job: its particulars, how far it has come, whether it is valid",
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
    example: 'jobs update 17 --location 1 --schedule-date 2026-12-02 --dispatcher-notes "Call first"',
    notes: `${describeJobLife(actions)}\n\n${describeJobRights()}`,
    verbs: [
      {
        verb: "complete",
        summary: "Complete a job (is_completed true); makes its pickup job when it has a pickup_date",
        body: { is_completed: true },
        keeps: ["completed_on", "completed_by", "driver_notes"],
        example: "jobs complete 17 --location 1",
      },
      {
        verb: "fail",
        summary: "Mark a job as failed (is_failed true)",
        body: { is_failed: true },
        keeps: ["fail_reason", "driver_notes"],
        example: 'jobs fail 17 --location 1 --fail-reason "Gate locked"',
      },
      {
        verb: "acknowledge",
        summary: "Acknowledge a job for its driver (is_acknowledged true)",
        body: { is_acknowledged: true },
        keeps: ["driver_notes"],
        example: "jobs acknowledge 17 --location 1",
      },
      {
        verb: "decline",
        summary: "Decline a job for its driver (is_declined true)",
        body: { is_declined: true },
        keeps: ["driver_notes"],
        example: "jobs decline 17 --location 1",
      },
      {
        verb: "delete",
        summary: "Delete a job (is_deleted true); it can be restored",
        body: { is_deleted: true },
        keeps: [],
        isSevere: true,
        example: "jobs delete 17 --location 1",
      },
      {
        verb: "restore",
        summary: "Restore a deleted job (is_deleted false)",
        body: { is_deleted: false },
        keeps: [],
        example: "jobs restore 17 --location 1",
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
