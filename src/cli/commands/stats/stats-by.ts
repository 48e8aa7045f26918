import { type ListedJob, readJobs } from "../../../board/load-board.ts";
import { failure } from "../../../errors/errors.ts";
import { isOverdue } from "../../../local-time/late.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import { addDays } from "../../../local-time/zone.ts";
import { toJobState } from "../../../models/job-state.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { showRecords } from "../../output/show.ts";
import { toSum } from "../../output/write-workbook.ts";
import type { Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import type { ReportFilters } from "../report/read-completed-jobs.ts";
import { readDrivers, readMaterials, toLoads } from "../report/read-report-facts.ts";
import { readReportFilters } from "../report/read-report-filters.ts";

type Grouping = "month" | "customer" | "truck" | "driver";

/** Default: the 365 days until today. */
export async function showStatsBy(context: CliContext, options: OptionValues): Promise<void> {
  if (options.month !== undefined && (options.from ?? options.to) !== undefined)
    throw failure("usage", "Use either --month, or --from and --to.");
  await useTarget(context, options, async (target, settings) => {
    const filters = await readReportFilters(context, settings, target, options);
    const { locationId, period, zones } = filters;
    const now = target.clock.now();
    const to = period.to ?? zones.of(locationId).dateOf(now);
    const from = period.from ?? addDays(to, -364);
    const span = { from: { day: from }, to: { day: to } };
    const jobs = await readJobs(target.client, { locationId, now, zones }, span);
    await showRecords(
      context,
      settings,
      await countBy(target, filters, jobs, options.by as Grouping),
      columns(options.by),
    );
  });
}

const columns = (by: unknown) => [
  String(by),
  ...["jobs", "completed", "on_time", "on_time_percent", "failed", "declined", "weight"],
];

/** Months by time, other groups by their number of jobs. */
async function countBy(
  { client }: Target,
  { zones }: ReportFilters,
  jobs: readonly ListedJob[],
  by: Grouping,
) {
  const nameOf = await openNames({ client }, zones, jobs, by);
  const materialOf = await readMaterials(client, jobs);
  const groups = new Map<string, ListedJob[]>();
  for (const job of jobs) {
    const name = nameOf(job) ?? `no ${by}`;
    const group = groups.get(name);
    if (group) group.push(job);
    else groups.set(name, [job]);
  }
  const rows = [...groups].map(([name, own]) => {
    const inState = (state: string) => own.filter((job) => toJobState(job) === state);
    const completed = inState("completed");
    const due = completed.filter(({ completed_on }) => completed_on !== null);
    const onTime = due.filter((job) => !isOverdue(job, job.completed_on ?? "", zones.of(job.location_id)));
    const weights = completed.flatMap((job) =>
      toLoads(job, materialOf).flatMap(({ weight }) => weight ?? []),
    );
    return {
      [by]: name,
      jobs: own.length,
      completed: completed.length,
      on_time: onTime.length,
      on_time_percent: due.length === 0 ? null : Math.round((100 * onTime.length) / due.length),
      failed: inState("failed").length,
      declined: inState("declined").length,
      weight: weights.length === 0 ? null : toSum(weights),
    };
  });
  const byTime = (one: string, other: string) => (one < other ? -1 : 1);
  return rows.toSorted((one, other) =>
    by === "month" ? byTime(String(one.month), String(other.month)) : Number(other.jobs) - Number(one.jobs),
  );
}

async function openNames(
  { client }: Pick<Target, "client">,
  zones: ReportFilters["zones"],
  jobs: readonly ListedJob[],
  by: Grouping,
): Promise<(job: ListedJob) => string | null> {
  if (by === "driver") return readDrivers(client, jobs);
  if (by === "customer") return ({ customer, requested_by }) => customer?.name ?? `customer ${requested_by}`;
  if (by === "month")
    return ({ location_id, schedule_date }) =>
      schedule_date === null ? null : dayOf(schedule_date, zones.of(location_id)).slice(0, 7);
  const trucks = new Map<number, string>();
  for await (const { id, name } of client.pages("trucks.all", { query: { page_limit: 1000 } }))
    trucks.set(id, name);
  return ({ truck_id: id }) => (id === null ? null : (trucks.get(id) ?? `truck ${id}`));
}
