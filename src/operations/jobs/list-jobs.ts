import { defineOperation } from "../../core/operation.ts";
import { JobListModel } from "../../models/job.ts";
import { jobFilters, jobPaging } from "../../models/job-filters.ts";
import { toList, toPaging } from "../../models/page.ts";
import { roles } from "../../models/user.ts";
import { jobCells, jobColumns, jobTones } from "./job-cells.ts";

export const listJobs = defineOperation({
  name: "jobs.list",
  summary: "List jobs in the order they are to be done",
  method: "GET",
  path: "/jobs",
  params: {},
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
    example: "jobs list --truck-id 3 --completed false --active",
    // Cannot be misread, as --deleted can (OP-48).
    shorthands: {
      active: { summary: "only active records (--deleted true)", query: { deleted: "true" } },
      inactive: { summary: "only deleted records (--deleted false)", query: { deleted: "false" } },
    },
  },
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.jobs.page(query, wanted), wanted);
  },
});
