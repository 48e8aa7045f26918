import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import type { TenantStore } from "../../store/tenant-store.ts";
import { found } from "../records.ts";

export const getJob = defineOperation({
  name: "jobs.get",
  summary: "Show a job",
  route: "GET /locations/{location_id}/jobs/{job_id}",
  params: { job_id: id(), location_id: id() },
  output: JobModel,
  allow: "anyRole",
  async run({ store }, { params }) {
    return found(await store.jobs.show(params.location_id, params.job_id), "job", params.job_id);
  },
});

/** What a change of one job declares: it locks the job, so that changes of others go on beside it. */
export const changesJob = {
  record: getJob,
  lock: ({ jobs }: TenantStore, { job_id, location_id }: { job_id: number; location_id: number }) =>
    jobs.findToChange(location_id, job_id),
  writes: "rows",
  emits: ["Job"],
} as const;
