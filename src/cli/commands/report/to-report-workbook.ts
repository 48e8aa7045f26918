import { type WorkbookColumn, type WorkbookSheet, writeWorkbook } from "../../output/write-workbook.ts";
import { type Grouping, groupJobs, type Report } from "./group-jobs.ts";
import { type ReportedJob, reportColumns } from "./to-report-rows.ts";

export async function toReportWorkbook({ grouping, jobs }: Report): Promise<Buffer> {
  const all = toJobsSheet("Jobs", jobs);
  if (grouping === null) return writeWorkbook([all]);
  const groups = groupJobs(jobs, grouping);
  const counts: WorkbookSheet = {
    name: `By ${grouping}`,
    columns: toCountColumns(grouping),
    rows: groups.map(({ row }) => row),
  };
  const own = grouping === "material" ? [] : groups.map((group) => toJobsSheet(group.name, group.jobs));
  return writeWorkbook([counts, all, ...own]);
}

const toJobsSheet = (name: string, jobs: readonly ReportedJob[]): WorkbookSheet => ({
  name,
  columns: reportColumns,
  rows: jobs.map(({ row }) => row),
});

/** A job with two materials counts for both, so those counts have no sum. */
const toCountColumns = (grouping: Grouping): WorkbookColumn[] => [
  { name: grouping, kind: grouping === "day" ? "time" : "text" },
  { name: "jobs", kind: "number", isSummed: grouping !== "material" },
  { name: "weight", kind: "number", isSummed: true },
  { name: "failed_attempts", kind: "number", isSummed: grouping !== "material" },
];
