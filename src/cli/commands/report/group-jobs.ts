import { toSum } from "../../output/write-workbook.ts";
import type { ReportedJob, ReportRow } from "./to-report-rows.ts";

export const groupings = ["customer", "truck", "driver", "type", "material", "day"] as const;
export type Grouping = (typeof groupings)[number];

export interface Report {
  grouping: Grouping | null;
  jobs: readonly ReportedJob[];
}

export interface JobGroup {
  jobs: readonly ReportedJob[];
  name: string;
  row: ReportRow;
}

/** A job is in the group of each of its materials, with the weight of that material. */
export function groupJobs(jobs: readonly ReportedJob[], grouping: Grouping): JobGroup[] {
  const members = new Map<string, Set<ReportedJob>>();
  for (const job of jobs)
    for (const name of namesOf(job, grouping)) members.set(name, (members.get(name) ?? new Set()).add(job));
  return [...members]
    .toSorted(([one], [other]) => one.localeCompare(other, "en"))
    .map(([name, set]) => {
      const grouped = [...set];
      const weights = grouped.flatMap((job) => weightsOf(job, grouping, name));
      const failed_attempts = grouped.reduce((sum, { row }) => sum + Number(row.failed_attempts), 0);
      const row = {
        [grouping]: name,
        jobs: grouped.length,
        weight: weights.length === 0 ? null : toSum(weights),
        failed_attempts,
      };
      return { jobs: grouped, name, row };
    });
}

function namesOf({ day, loads, row }: ReportedJob, grouping: Grouping): string[] {
  if (grouping === "day") return [day];
  if (grouping !== "material") return [String(row[grouping] || `no ${grouping}`)];
  return loads.length === 0 ? ["no material"] : loads.map(({ name }) => name);
}

function weightsOf({ loads }: ReportedJob, grouping: Grouping, name: string): number[] {
  const counted = grouping === "material" ? loads.filter((load) => load.name === name) : loads;
  return counted.flatMap(({ weight }) => (weight === null ? [] : [weight]));
}
