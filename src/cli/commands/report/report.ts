import { extname } from "node:path";
import { Command, Option } from "commander";
import { failure, usageFailure } from "../../../errors/errors.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { requireTime } from "../../input/typed-time.ts";
import { toRecordWriter } from "../../output/format.ts";
import { showRecords } from "../../output/show.ts";
import { tell } from "../../output/tell.ts";
import { writeDocument } from "../../output/write-out.ts";
import {
  toSum,
  type WorkbookColumn,
  type WorkbookSheet,
  writeWorkbook,
} from "../../output/write-workbook.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { type Grouping, groupings, groupJobs, type Report } from "./group-jobs.ts";
import { readCompletedJobs } from "./read-completed-jobs.ts";
import { readMonth } from "./read-period.ts";
import { readReportFilters } from "./read-report-filters.ts";
import { type ReportedJob, type ReportRow, reportColumns, toReportedJobs } from "./to-report-rows.ts";

export function reportCommand(context: CliContext): Command {
  const jobs = defineBuiltin("jobs", "read")
    .summary("List the completed jobs of a month, for invoices")
    .description(
      "List the completed jobs of a month or a span of days, one row for each job, by the clock of its location.",
    )
    .option("--month <month>", "a month like 2026-11 or november, or this, or last")
    .option("--from <day>", "completed on this day or later: 11/1, mon, 2026-11-01")
    .option("--to <day>", "completed on this day or earlier")
    .option("--location <name>", "only jobs of this location")
    .option("--customer <id or name>", "only jobs of this customer")
    .option("--truck <id or name>", "only jobs of this truck, by its name, id, or driver")
    .option("--driver <id or name>", "only jobs on this driver's truck or completed by this driver")
    .addOption(
      new Option("--by <what>", `count jobs and weights by ${groupings.join(", ")}`).choices(groupings),
    )
    .option("--out <file>", "write to this file: .xlsx or .csv")
    .option("-o, --output <form>", "table, csv, json, ndjson, or yaml (DISPATCH_OUTPUT)");
  addFormOption(addTargetOptions(jobs)).addHelpText("after", notes);
  jobs.action(() => runReport(context, jobs.opts()));
  return new Command("report").description("Report what was done, for invoices.").addCommand(jobs);
}

async function runReport(context: CliContext, options: OptionValues): Promise<void> {
  requirePeriod(options);
  const ending = requireEnding(options.out);
  return useTarget(context, options, async (target, settings) => {
    const filters = await readReportFilters(context, settings, target, options);
    const jobs = await toReportedJobs(target, settings, await readCompletedJobs(target.client, filters));
    const grouping = options.by as Grouping | undefined;
    const report = { grouping: grouping ?? null, jobs };
    if (ending === ".xlsx") writeDocument(context, await toReportWorkbook(report), "", options.out);
    else if (ending === ".csv") writeDocument(context, toCsv(toRows(report)), "", options.out);
    else await showRecords(context, settings, toRows(report));
    if (ending !== null || settings.form === "table") tell(context.stderr, describe(jobs));
  });
}

function toRows({ grouping, jobs }: Report): ReportRow[] {
  return grouping === null ? jobs.map(({ row }) => row) : groupJobs(jobs, grouping).map(({ row }) => row);
}

function toCsv(rows: readonly ReportRow[]): Buffer {
  const knownFields = Object.keys(rows[0] ?? {});
  const { head, toLine } = toRecordWriter("csv", { fields: null, isTerminal: false, knownFields });
  return Buffer.from(head + rows.map(toLine).join(""));
}

function requirePeriod({ from, month, to }: OptionValues): void {
  if (month !== undefined && (from ?? to) !== undefined)
    throw failure("usage", "Use either --month, or --from and --to.");
  if ((month ?? from ?? to) === undefined)
    throw usageFailure("Name a month or days.", "`--month last`, `--month 2026-11`, or `--from` and `--to`.");
  if (month !== undefined) readMonth(String(month), "2026-01-01");
  if (from !== undefined) requireTime(String(from), "--from");
  if (to !== undefined) requireTime(String(to), "--to");
}

function requireEnding(out: unknown): ".csv" | ".xlsx" | null {
  if (out === undefined) return null;
  const ending = extname(String(out)).toLowerCase();
  if (ending === ".csv" || ending === ".xlsx") return ending;
  throw failure("usage", `--out must end in .xlsx or .csv, not "${String(out)}".`);
}

function describe(jobs: readonly ReportedJob[]): string {
  const numbersOf = (field: "failed_attempts" | "weight") =>
    jobs.flatMap(({ row }) => (typeof row[field] === "number" ? [row[field]] : []));
  const count = (total: number, noun: string) => `${total} ${noun}${total === 1 ? "" : "s"}`;
  const weights = numbersOf("weight");
  // Without any weight, a sum of 0 would mislead.
  const weight = weights.length === 0 ? "" : `, weight ${toSum(weights)}`;
  return `${count(jobs.length, "job")}${weight}, ${count(toSum(numbersOf("failed_attempts")), "failed attempt")}`;
}

const notes = `
The weight is the net weight of the job's materials, in the unit in which it was
entered. The driver is the one who completed the job, else the truck's driver today.
A workbook has real dates and numbers, a filter, and totals; with --by also a sheet
of counts, and, except for materials, a sheet for each group.

Examples:
  dispatch-cli report jobs --month last --out november.xlsx --by customer
  dispatch-cli report jobs --month 2026-11 --customer potomac
  dispatch-cli report jobs --from mon --to fri --by truck`;

async function toReportWorkbook({ grouping, jobs }: Report): Promise<Buffer> {
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
