import { defineOperation } from "../../core/operation.ts";
import { AuditEntryListModel } from "../../models/audit.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { found } from "../records.ts";

export const listJobTimeline = defineOperation({
  name: "jobs.timeline",
  summary: "List what happened to a job and who did it, oldest first",
  route: "GET /locations/{location_id}/jobs/{job_id}/timeline",
  params: { job_id: id(), location_id: id() },
  query: paging,
  output: AuditEntryListModel,
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  extension: true,
  async run({ store }, { params, query }) {
    // The audit trail has no row scopes of its own: a caller who sees the job sees its timeline.
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

/** Leaves out what is not part of the job's answer: a hauler must not learn what the service keeps beside it. */
function toShownFields(changed: Readonly<Record<string, unknown>> | null) {
  if (changed === null) return null;
  return Object.fromEntries(Object.entries(changed).filter(([name]) => Object.hasOwn(JobModel.shape, name)));
}
