import { exitCodes } from "../../../errors/errors.ts";
import { createApplier } from "../../../sync/applier.ts";
import { Stopped } from "../../../sync/pace.ts";
import type { Plan } from "../../../sync/plan.ts";
import { countAll, createReport, type Report, totalOf } from "../../../sync/report.ts";
import { rejectsFileOf, requireWritable, writeRejects } from "../../../sync/rows/rejects.ts";
import { placeOf, type Row } from "../../../sync/rows/row-file.ts";
import { type Course, runPlans } from "../../../sync/run-plans.ts";
import { type CliContext, isInteractive } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { joinLines } from "../../output/format.ts";
import { toScreenOptions } from "../../output/show.ts";
import { toVisible, toVisibleJson } from "../../output/text.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { exitCodeOfRefusals } from "../../synchronising/exit-code-of-refusals.ts";
import type { ImportRun } from "./import-run.ts";
import { showOutcome, tellInterrupted } from "./show-outcome.ts";
import {
  createFirstPlans,
  describePlan,
  type FirstPlans,
  noteFirst,
  rowCounts,
  toPlannedRow,
} from "./show-plan.ts";
import { tellCauses, tellReading } from "./tell-rows.ts";

/** Shows the plan, or asks and carries it out. Gives the exit code that says how it went. Throws what stopped it half-way. */
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

/** Plans every row, as far as models and comparing tell. */
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

/** What the rows have in common on any way into the target. */
const toCourse = ({ noun, plan }: ImportRun): Pick<Course<Row>, "placeOf" | "plan"> => ({
  placeOf: ({ line }) => ({ type: noun, id: null, label: null, line }),
  plan,
});

/** How far the rows were carried out, and why the rest was not tried; null when the user stopped it, or nobody did. */
interface CarriedOut {
  report: Report;
  failure: unknown;
}

/** Carries the plans out; between rows it stops when the user asks. With `dryRun` everything is tried, nothing stored. */
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

/** Shows the whole plan, every call of it tried. */
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
