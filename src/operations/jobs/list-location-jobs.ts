import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { JobListModel } from "../../models/job.ts";
import { jobFilters, jobPaging } from "../../models/job-filters.ts";
import { requireLocation } from "../records.ts";
import { readJobPage } from "./read-job-page.ts";
import { waitForChanges } from "./wait-for-changes.ts";

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
