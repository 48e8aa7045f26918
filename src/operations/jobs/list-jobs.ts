import { defineOperation } from "../../core/operation.ts";
import { JobListModel } from "../../models/job.ts";
import { jobFilters, jobPaging } from "../../models/job-filters.ts";
import { readJobPage } from "./read-job-page.ts";
import { waitForChanges } from "./wait-for-changes.ts";

export const listJobs = defineOperation({
  name: "jobs.list",
  summary: "List jobs in the order they are to be done",
  description:
    "`deleted=true` lists active jobs and `deleted=false` those that were deleted. What is not filtered is listed in every state.",
  route: "GET /jobs",
  query: { ...jobFilters, ...jobPaging },
  output: JobListModel,
  allow: "anyRole",
  reads: { listing: { order: "schedule" } },
  prepare: waitForChanges,
  refuses: ["unknown_reference"],
  run: (context, { query }) => readJobPage(context, query),
});
