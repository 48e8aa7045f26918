import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { roles } from "../../models/user.ts";
import { found } from "../records.ts";

export const getJob = defineOperation({
  name: "jobs.get",
  summary: "Show a job",
  method: "GET",
  path: "/locations/{location_id}/jobs/{job_id}",
  params: { job_id: id(), location_id: id() },
  query: {},
  body: null,
  output: JobModel,
  roles,
  effect: "read",
  lockRecord: ({ jobs }, { job_id, location_id }) => jobs.findToChange(location_id, job_id),
  async run({ store }, { params }) {
    return found(await store.jobs.show(params.location_id, params.job_id), "job", params.job_id);
  },
});
