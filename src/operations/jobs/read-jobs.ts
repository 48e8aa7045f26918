import type { Context } from "../../core/context.ts";
import { defineOperation, type OperationInput, type Preparation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { AuditEntryListModel } from "../../models/audit.ts";
import { id } from "../../models/fields.ts";
import { JobListModel, JobModel } from "../../models/job.ts";
import type { JobCursor } from "../../models/job-cursor.ts";
import { jobFilters, jobPaging } from "../../models/job-filters.ts";
import type { FilterValues } from "../../models/model.ts";
import { type Paging, paging, toList, toPaging } from "../../models/page.ts";
import type { TenantStore } from "../../store/tenant-store.ts";
import { found, requireLocation } from "../records.ts";

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

/** For operations on one job. The lock lets changes of other jobs run at the same time. */
export const changesJob = {
  record: getJob,
  lock: ({ jobs }: TenantStore, { job_id, location_id }: { job_id: number; location_id: number }) =>
    jobs.findToChange(location_id, job_id),
  writes: "rows",
  emits: ["Job"],
} as const;

export const listJobs = defineOperation({
  name: "jobs.list",
  summary: "List jobs in the order they are to be done",
  description:
    "`deleted=true` lists active jobs and `deleted=false` deleted ones. Without filters it lists jobs in every state.",
  route: "GET /jobs",
  query: { ...jobFilters, ...jobPaging },
  output: JobListModel,
  allow: "anyRole",
  reads: { listing: { order: "schedule" } },
  prepare: waitForChanges,
  refuses: ["unknown_reference"],
  run: (context, { query }) => readJobPage(context, query),
});

export const listLocationJobs = defineOperation({
  name: "locations.jobs",
  summary: "List the jobs of a location in the order they are to be done",
  route: "GET /locations/{location_id}/jobs",
  params: { location_id: id() },
  query: { ...jobFilters, ...jobPaging },
  output: JobListModel,
  allow: "anyRole",
  reads: { listing: { order: "schedule" } },
  prepare: waitForChanges,
  refuses: ["unknown_reference"],
  async run(context, { params, query }) {
    await requireLocation(context, params.location_id);
    return readJobPage(context, { ...query, location_id: params.location_id });
  },
});

export const listJobTimeline = defineOperation({
  name: "jobs.timeline",
  summary: "List the changes of a job and their authors, oldest first",
  route: "GET /locations/{location_id}/jobs/{job_id}/timeline",
  params: { job_id: id(), location_id: id() },
  query: paging,
  output: AuditEntryListModel,
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  extension: true,
  async run({ store }, { params, query }) {
    // The audit trail has no row scopes: a caller who sees the job sees its timeline.
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

/** Only fields of responses: a hauler must not see other stored fields. */
function toShownFields(changed: Readonly<Record<string, unknown>> | null) {
  if (changed === null) return null;
  return Object.fromEntries(Object.entries(changed).filter(([name]) => Object.hasOwn(JobModel.shape, name)));
}

type JobQuery = FilterValues<typeof jobFilters & typeof jobPaging>;

async function readJobPage({ store }: Pick<Context, "store">, query: JobQuery & { location_id?: number }) {
  const wanted: Paging = { ...toPaging(query), after: await toCursor(store, query) };
  return toList(await store.jobs.page(query, wanted), wanted);
}

/** The page begins after an id, whose job may be gone, or after a position in the order. */
async function toCursor(
  { jobs }: Context["store"],
  { order, page_after: after = null }: JobQuery,
): Promise<number | JobCursor | null> {
  if (order === "id") return typeof after === "number" ? after : (after?.id ?? 0);
  if (typeof after !== "number") return after;
  const cursor = await jobs.findCursor(after);
  if (cursor) return cursor;
  const detail = `page_after: job ${after} does not exist or you may not see it, so its position is unknown. Give its schedule_date,priority,id, or use order=id.`;
  throw failure("unknown_reference", detail, "page_after");
}

/** Waits for uncommitted changes with this timestamp, because a client continues from its last timestamp. */
async function waitForChanges(
  { waitForWriters }: Preparation,
  input: OperationInput,
): Promise<OperationInput> {
  if (typeof input.query.last_updated_gte === "string") await waitForWriters();
  return input;
}
