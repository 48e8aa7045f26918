import { defineOperation } from "../../core/operation.ts";
import { AuditEntryListModel } from "../../models/audit.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { found } from "../records.ts";

export const listJobTimeline = defineOperation({
  name: "jobs.timeline",
  summary: "List what happened to a job and who did it, oldest first",
  method: "GET",
  path: "/locations/{location_id}/jobs/{job_id}/timeline",
  params: { job_id: id(), location_id: id() },
  query: paging,
  body: null,
  output: AuditEntryListModel,
  roles: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  effect: "read",
  extension: true,
  async run({ store }, { params, query }) {
    // The trail itself is the whole tenant's; who sees the job sees what happened to it.
    found(await store.jobs.show(params.location_id, params.job_id), "job", params.job_id);
    const wanted = toPaging(query);
    const page = await store.audit.ofRecord("Job", params.job_id, wanted);
    const rows = page.rows.map((entry) => ({
      ...entry,
      after: toShownFields(entry.after),
      before: toShownFields(entry.before),
    }));
    return toList({ ...page, rows }, wanted);
  },
});

/** No more of a job than its answer has: what the service keeps beside it is none of a hauler's business. */
function toShownFields(changed: Readonly<Record<string, unknown>> | null) {
  if (changed === null) return null;
  return Object.fromEntries(Object.entries(changed).filter(([name]) => Object.hasOwn(JobModel.shape, name)));
}
