import { exitCodes } from "../../../errors/errors.ts";
import { createApplier } from "../../../sync/applier.ts";
import {
  countAll,
  countChangedSince,
  createReport,
  describeChangedSince,
  exitCodeOfRefusals,
  type Report,
  runPlan,
  totalOf,
} from "../../../sync/report.ts";
import { approximate } from "../../../sync/rows/guess-coordinates.ts";
import type { PlannedRow } from "../../../sync/rows/plan-rows.ts";
import { groupCauses, rejectsFileOf, requireWritable, writeRejects } from "../../../sync/rows/rejects.ts";
import type { Row } from "../../../sync/rows/row-file.ts";
import type { RowReading } from "../../../sync/rows/to-draft.ts";
import { Stopped } from "../../../sync/target.ts";
import { type CliContext, isInteractive } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { toScreenOptions } from "../../output/show.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { joinLines, toVisible, toVisibleJson } from "../../output/text.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import type { ImportOptions } from "./map-file.ts";
import type { ShownPace } from "./pace.ts";
import { describePlan, rowCounts, toAnswer } from "./show-plan.ts";

/** An import whose rows are planned. */
export interface ImportRun {
  fileName: string;
  options: Pick<ImportOptions, "plan" | "yes">;
  pace: ShownPace;
  reading: RowReading;
  rows: readonly PlannedRow[];
  settings: Settings;
  target: Target;
}

/** Shows the plan, or asks and runs it. Throws the error that stopped it, or AlreadyShown for rejected rows. */
export async function runImport(context: CliContext, run: ImportRun): Promise<void> {
  const { fileName, options, rows } = run;
  const { file } = run.reading;
  if (options.plan) return showPlan(context, run);
  if (rows.length === 0) return showOutcome(context, run, createReport());
  const planned = createReport();
  for (const { plan, row } of rows) await runPlan(planned, null, toRowPlace(run, row), plan);
  tellReading(context, run);
  requireWritable(rejectsFileOf(fileName, file));
  if (totalOf(planned, "create", "update") > 0) await confirmPlan(context, run, planned);
  const { failure, report } = await carryOut(run, { dryRun: false });
  run.pace.end();
  tellCauses(context, report);
  if (report.refused.length > 0) writeRejects(rejectsFileOf(fileName, file), file, report.refused);
  if (countAll(report) < rows.length) {
    tellInterrupted(context, run, report);
    throw failure ?? new AlreadyShown(exitCodes.interrupted);
  }
  showOutcome(context, run, report);
  const exitCode = exitCodeOfRefusals(report);
  if (exitCode !== exitCodes.done) throw new AlreadyShown(exitCode);
}

const toRowPlace = ({ reading }: ImportRun, { line }: Row) => ({
  type: reading.rowKind.noun,
  id: null,
  label: null,
  line,
});

/** `failure` stopped the other rows; null if the user stopped, or all rows ran. */
interface CarriedOut {
  report: Report;
  /** The rows with their plans, or with the refusals of the target. */
  tried: PlannedRow[];
  failure: unknown;
}

async function carryOut(run: ImportRun, { dryRun }: { dryRun: boolean }): Promise<CarriedOut> {
  const { pace, rows, target } = run;
  const report = createReport();
  const tried: PlannedRow[] = [];
  const applier = createApplier(target, { dryRun });
  try {
    for (const planned of rows) {
      await pace.stepOn(() => describeProgress(report, rows.length, dryRun), tried.length / rows.length);
      if (pace.isStopped) break;
      const plan = await runPlan(report, applier, toRowPlace(run, planned.row), planned.plan);
      tried.push({ ...planned, plan });
    }
    return { report, tried, failure: null };
  } catch (failure) {
    return { report, tried, failure };
  }
}

function describeProgress(report: Report, total: number, dryRun: boolean): string {
  const rejected = report.refused.length;
  const bad = rejected > 0 ? `, ${rejected} rejected` : "";
  return `${dryRun ? "checked" : "imported"} ${countAll(report)} of ${total} rows${bad}`;
}

/** Makes every call as a dry run. */
async function showPlan(context: CliContext, run: ImportRun): Promise<void> {
  const { pace, reading, rows, settings, target } = run;
  const { failure, report, tried } = await carryOut(run, { dryRun: true });
  pace.end();
  if (failure !== null) throw failure;
  if (tried.length < rows.length) throw new Stopped();
  const counts = rowCounts(report);
  tellReading(context, run);
  tellCauses(context, report);
  if (settings.form === "table") {
    const plan = await describePlan(counts, tried, reading, toScreenOptions(context, settings));
    context.stdout.write(joinLines([`${toVisible(describeAim(run))}:`, "", ...plan]));
    return;
  }
  const { locationId, rowKind } = reading;
  const facts = {
    location_id: locationId,
    noun: rowKind.noun,
    target: target.name,
    tenant_id: target.tenant.id,
  };
  const head = toVisibleJson(JSON.stringify({ counts, ...facts }).slice(0, -1));
  context.stdout.write(`${head},"rows":[`);
  for (const [index, row] of tried.entries())
    context.stdout.write(`${index > 0 ? "," : ""}${toVisibleJson(JSON.stringify(toAnswer(row)))}`);
  context.stdout.write("]}\n");
}

async function confirmPlan(context: CliContext, run: ImportRun, report: Report): Promise<void> {
  const counts = rowCounts(report);
  const { create, update, reject } = counts;
  const isAsked = isInteractive(context) && !run.options.yes;
  if (reject > 0 && isAsked) tellCauses(context, report);
  const without = reject > 0 ? `, without the ${reject} that are rejected` : "";
  const deeds = Object.entries({ create, update }).filter(([, count]) => count > 0);
  const what = deeds.map(([deed, count]) => `${deed} ${count}`).join(" and ");
  const question = `${describeAim(run)}: ${what}${without}?`;
  if (isAsked) {
    const options = { ...toScreenOptions(context, run.settings), isTerminal: true };
    const lines = await describePlan(counts, run.rows, run.reading, options);
    context.stderr.write(joinLines([...lines, ""]));
  }
  await requireYes(context, question, run.options);
}

function describeAim({ reading, target }: ImportRun): string {
  const { file, locationId, rowKind } = reading;
  return `Import ${rowKind.noun} of ${file.name} into ${target.name}, tenant ${target.tenant.id} (${target.tenant.name}), location ${locationId}`;
}

function showOutcome(context: CliContext, run: ImportRun, report: Report): void {
  const { fileName, reading, settings, target } = run;
  const { file, locationId } = reading;
  const { create: created, reject: rejected, same, update: updated } = rowCounts(report);
  const rejectsFile = rejected > 0 ? rejectsFileOf(fileName, file) : null;
  const facts = {
    changed_since: countChangedSince(report),
    created,
    location_id: locationId,
    rejected,
    rejects_file: rejectsFile,
    same,
    target: target.name,
    tenant_id: target.tenant.id,
    updated,
  };
  const sentences = [`${file.name}: ${describeCounts(report)}.`];
  if (file.rows.length === 0) sentences[0] = `${file.name} has no rows; there is nothing to do.`;
  if (rejectsFile)
    sentences.push(
      `The rejected rows are in ${rejectsFile}, each with its error. Correct them there and import that file.`,
    );
  showFacts(context, settings, facts, [...sentences, ...describeChangedSince(report)]);
}

function tellInterrupted(context: CliContext, { fileName, reading, rows }: ImportRun, report: Report): void {
  const rejectsFile = rejectsFileOf(fileName, reading.file);
  const rejects = report.refused.length > 0 ? ` The rejected rows are in ${rejectsFile}.` : "";
  tell(
    context.stderr,
    `Stopped after ${countAll(report)} of ${rows.length} rows: ${describeCounts(report)}.${rejects} Run the same command again to continue.`,
  );
}

function describeCounts(report: Report): string {
  const { create, reject, same, update } = rowCounts(report);
  return `${create} created, ${update} updated, ${same} the same, ${reject} rejected`;
}

/** Ignored parts, and corrected values with a count for each rule. */
function tellReading({ stderr }: CliContext, { reading }: ImportRun): void {
  for (const note of reading.file.notes) tell(stderr, note);
  for (const { example, lines, rows, rule } of reading.cells?.tally.all() ?? []) {
    const places = rule === approximate ? `, lines ${listLines(lines, rows)}` : "";
    tell(stderr, `${countRows(rows)}: ${rule} (${example}${places}).`);
  }
}

function tellCauses({ stderr }: CliContext, { refused }: Pick<Report, "refused">): void {
  const causes = groupCauses(refused);
  for (const { lines, reason, rows } of causes.slice(0, causesShown))
    tell(
      stderr,
      `${countRows(rows)}: ${reason.replace(/\.$/, "")} (${rows === 1 ? "line" : "lines"} ${listLines(lines, rows)}).`,
    );
  if (causes.length > causesShown)
    tell(stderr, `${causes.length - causesShown} more reasons are in the file of rejected rows.`);
}

const causesShown = 12;

const countRows = (rows: number) => (rows === 1 ? "1 row" : `${rows} rows`);

const listLines = (lines: readonly number[], rows: number) =>
  `${lines.join(", ")}${rows > lines.length ? " …" : ""}`;
