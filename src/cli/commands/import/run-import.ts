import { exitCodes } from "../../../errors/errors.ts";
import { createApplier } from "../../../sync/applier.ts";
import { Stopped } from "../../../sync/pace.ts";
import type { Plan } from "../../../sync/plan.ts";
import {
  type Course,
  countAll,
  countChangedSince,
  createReport,
  type Report,
  runPlans,
  totalOf,
} from "../../../sync/report.ts";
import { approximate } from "../../../sync/rows/guess-coordinates.ts";
import { groupCauses, rejectsFileOf, requireWritable, writeRejects } from "../../../sync/rows/rejects.ts";
import { placeOf, type Row } from "../../../sync/rows/row-file.ts";
import { type CliContext, isInteractive } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { toScreenOptions } from "../../output/show.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { joinLines, toVisible, toVisibleJson } from "../../output/text.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { describeChangedSince, exitCodeOfRefusals } from "../../synchronising/exit-code-of-refusals.ts";
import type { ImportRun } from "./import-run.ts";
import {
  createFirstPlans,
  describePlan,
  type FirstPlans,
  noteFirst,
  rowCounts,
  toPlannedRow,
} from "./show-plan.ts";

/** Returns the exit code. Throws the error that stopped it. */
export async function runImport(context: CliContext, run: ImportRun): Promise<number> {
  const { file, fileName } = run;
  if (run.planOnly) {
    await showPlan(context, run);
    return exitCodes.done;
  }
  if (file.rows.length === 0) {
    showOutcome(context, run, createReport());
    return exitCodes.done;
  }
  const { first, report: planned } = await comparePlans(run);
  tellReading(context, run);
  requireWritable(rejectsFileOf(fileName, file));
  if (totalOf(planned, "create", "update") > 0) await confirmPlan(context, run, planned, first);
  const { failure, report } = await carryOut(run, { dryRun: false });
  run.pace.end();
  tellCauses(context, report);
  if (report.refused.length > 0) writeRejects(rejectsFileOf(fileName, file), file, report.refused);
  if (countAll(report) === file.rows.length) {
    showOutcome(context, run, report);
    return exitCodeOfRefusals(report);
  }
  tellInterrupted(context, run, report);
  throw failure ?? new AlreadyShown(exitCodes.interrupted);
}

async function comparePlans(run: ImportRun): Promise<{ first: FirstPlans; report: Report }> {
  const { file, keyOf, pace } = run;
  const report = createReport();
  const first = createFirstPlans();
  let index = 0;
  await runPlans(file.rows, {
    ...toCourse(run),
    report,
    applier: null,
    mayGoOn: async () => {
      const done = index++;
      await pace.step(() => `comparing ${done} of ${file.rows.length}`);
      return true;
    },
    onRecord: (row, plan) => noteFirst(first, placeOf(file, row), () => keyOf(row), plan),
  });
  pace.end();
  return { first, report };
}

const toCourse = ({ noun, plan }: ImportRun): Pick<Course<Row>, "placeOf" | "plan"> => ({
  placeOf: ({ line }) => ({ type: noun, id: null, label: null, line }),
  plan,
});

/** `failure` stopped the other rows; null if the user stopped, or all rows ran. */
interface CarriedOut {
  report: Report;
  failure: unknown;
}

async function carryOut(
  run: ImportRun,
  { dryRun, onRecord = () => undefined }: { dryRun: boolean; onRecord?(row: Row, plan: Plan): void },
): Promise<CarriedOut> {
  const { file, pace, target } = run;
  const report = createReport();
  const total = file.rows.length;
  try {
    await runPlans(file.rows, {
      ...toCourse(run),
      report,
      applier: createApplier(target, { dryRun }),
      mayGoOn: async () => {
        await pace.stepOn(() => describeProgress(report, total, dryRun), countAll(report) / total);
        return !pace.isStopped;
      },
      onRecord,
    });
    return { report, failure: null };
  } catch (failure) {
    return { report, failure };
  }
}

function describeProgress(report: Report, total: number, dryRun: boolean): string {
  const rejected = report.refused.length;
  const bad = rejected > 0 ? `, ${rejected} rejected` : "";
  return `${dryRun ? "checked" : "imported"} ${countAll(report)} of ${total} rows${bad}`;
}

/** Makes every call as a dry run. */
async function showPlan(context: CliContext, run: ImportRun): Promise<void> {
  const { file, keyOf, locationId, noun, pace, settings, target } = run;
  const first = createFirstPlans();
  const rows: string[] = [];
  const { failure, report } = await carryOut(run, {
    dryRun: true,
    onRecord: (row, plan) => {
      noteFirst(first, placeOf(file, row), () => keyOf(row), plan);
      if (settings.form !== "table") rows.push(JSON.stringify(toPlannedRow(row, keyOf(row), plan)));
    },
  });
  pace.end();
  if (failure !== null) throw failure;
  if (countAll(report) < file.rows.length) throw new Stopped();
  const counts = rowCounts(report);
  tellReading(context, run);
  tellCauses(context, report);
  if (settings.form === "table") {
    const plan = await describePlan(counts, first, toScreenOptions(context, settings), run.times);
    context.stdout.write(joinLines([`${toVisible(describeAim(run))}:`, "", ...plan]));
    return;
  }
  const facts = { location_id: locationId, noun, target: target.name, tenant_id: target.tenant.id };
  const head = toVisibleJson(JSON.stringify({ counts, ...facts }).slice(0, -1));
  context.stdout.write(`${head},"rows":[`);
  for (const [index, row] of rows.entries())
    context.stdout.write(`${index > 0 ? "," : ""}${toVisibleJson(row)}`);
  context.stdout.write("]}\n");
}

async function confirmPlan(
  context: CliContext,
  run: ImportRun,
  report: Report,
  first: FirstPlans,
): Promise<void> {
  const counts = rowCounts(report);
  const { create, update, reject } = counts;
  if (reject > 0 && isInteractive(context) && !run.saysYes) tellCauses(context, report);
  const without = reject > 0 ? `, without the ${reject} that are rejected` : "";
  const deeds = Object.entries({ create, update }).filter(([, count]) => count > 0);
  const what = deeds.map(([deed, count]) => `${deed} ${count}`).join(" and ");
  const question = `${describeAim(run)}: ${what}${without}?`;
  if (isInteractive(context) && !run.saysYes) {
    const options = { ...toScreenOptions(context, run.settings), isTerminal: true };
    const lines = await describePlan(counts, first, options, run.times);
    context.stderr.write(joinLines([...lines, ""]));
  }
  await requireYes(context, question, { yes: run.saysYes });
}

function describeAim({ file, locationId, noun, target }: ImportRun): string {
  return `Import ${noun} of ${file.name} into ${target.name}, tenant ${target.tenant.id} (${target.tenant.name}), location ${locationId}`;
}

function showOutcome(context: CliContext, run: ImportRun, report: Report): void {
  const { file, fileName, locationId, settings, target } = run;
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

function tellInterrupted(context: CliContext, { file, fileName }: ImportRun, report: Report): void {
  const rejects =
    report.refused.length > 0 ? ` The rejected rows are in ${rejectsFileOf(fileName, file)}.` : "";
  tell(
    context.stderr,
    `Stopped after ${countAll(report)} of ${file.rows.length} rows: ${describeCounts(report)}.${rejects} Run the same command again to continue.`,
  );
}

function describeCounts(report: Report): string {
  const { create, reject, same, update } = rowCounts(report);
  return `${create} created, ${update} updated, ${same} the same, ${reject} rejected`;
}

/** Ignored parts, and corrected values with a count for each rule. */
function tellReading({ stderr }: CliContext, { file, tally }: ImportRun): void {
  for (const note of file.notes) tell(stderr, note);
  for (const { example, lines, rows, rule } of tally.all()) {
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
