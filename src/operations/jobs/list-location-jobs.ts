import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { JobListModel, jobFilters, jobPaging } from "../../models/job.ts";
import { toList, toPaging } from "../../models/page.ts";
import { roles } from "../../models/user.ts";
import { requireLocation } from "../records.ts";
import { jobCells, jobColumns, jobTones, toJobFilters } from "./job-filters.ts";

export const listLocationJobs = defineOperation({
  name: "locations.jobs",
  summary: "List the jobs of a location in the order they are to be done",
  method: "GET",
  path: "/locations/{location_id}/jobs",
  params: { location_id: id() },
  query: { ...jobFilters, ...jobPaging },
  body: null,
  output: JobListModel,
  roles,
  effect: "read",
  listing: { order: "schedule" },
  cli: {
    cells: jobCells,
    columns: jobColumns,
    tones: jobTones,
    example: "locations jobs 1 --truck-id 3 --completed false",
  },
  async run(context, { params, query }) {
    await requireLocation(context, params.location_id);
    const wanted = toPaging(query);
    return toList(await context.store.jobs.page(toJobFilters(query, params.location_id), wanted), wanted);
  },
});
