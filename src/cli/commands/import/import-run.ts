import { exitCodes } from "../../../errors/errors.ts";
import { type Applied, applyRows } from "../../../sync/applier.ts";
import { Stopped } from "../../../sync/pace.ts";
import { rejectsFileOf, requireWritable, writeRejects } from "../../../sync/rows/rejects.ts";
import { placeOf, type Row, type RowFile } from "../../../sync/rows/row-file.ts";
import type { RowPlan } from "../../../sync/rows/row-plan.ts";
import { type CliContext, isInteractive } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { toScreenOptions } from "../../output/show.ts";
import { showFacts } from "../../output/show-facts.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import type { ShownPace } from "./pace.ts";
import { addToSummary, createSummary, describePlan, type PlanSummary } from "./show-plan.ts";

/** An import whose file is read and whose records are found. */
export interface ImportRun {
  file: RowFile;
  /** As it was named; `-` for standard input. */
  fileName: string;
  keyOf(row: Row): string;
  locationId: number;
  noun: string;
  pace: ShownPace;
  plan(row: Row): RowPlan;
  planOnly: boolean;
  saysYes: boolean;
  settings: Settings;
  target: Target;
}

/** Shows the plan, or asks and carries it out. False when rows were rejected. Throws what stopped it half-way. */
export async function runImport(context: CliContext, run: ImportRun): Promise<boolean> {
  if (run.planOnly) {
    await showPlan(context, run);
    return true;
  }
  if (run.file.rows.length === 0) {
    tellOutcome(context, run, { created: 0, updated: 0, same: 0, rejected: [], left: 0, failure: null });
    return true;
  }
  const summary = await summarize(run);
  const { create, update } = summary.counts;
  requireWritable(rejectsFileOf(run.fileName, run.file));
  if (create + update > 0) await confirmPlan(context, run, summary);
  const applied = await applyRows(run.target.caller, run.file.rows, run.plan, {
    dryRun: false,
    pace: run.pace,
  });
  run.pace.end();
  if (applied.rejected.length > 0)
    writeRejects(rejectsFileOf(run.fileName, run.file), run.file, applied.rejected);
  if (applied.left === 0) {
    tellOutcome(context, run, applied);
    return applied.rejected.length === 0;
  }
  tellInterrupted(context, run, applied);
  throw applied.failure ?? new AlreadyShown(exitCodes.interrupted);
}

/** What a plan would do, as far as models and comparing tell. */
async function summarize({ file, keyOf, pace, plan }: ImportRun): Promise<PlanSummary> {
  const summary = createSummary();
  for (const [index, row] of file.rows.entries()) {
    await pace.step(() => `comparing ${index} of ${file.rows.length}`);
    addToSummary(summary, placeOf(file, row), () => keyOf(row), plan(row));
  }
  pace.end();
  return summary;
}

/** The whole plan, every call of it tried. */
async function showPlan(context: CliContext, run: ImportRun): Promise<void> {
  const { file, keyOf, locationId, noun, pace, settings, target } = run;
  const summary = createSummary();
  const rows: string[] = [];
  const { failure, left } = await applyRows(target.caller, file.rows, run.plan, {
    dryRun: true,
    pace,
    onRow: (row, plan) => {
      addToSummary(summary, placeOf(file, row), () => keyOf(row), plan);
      if (settings.form !== "table") rows.push(JSON.stringify(toPlannedRow(row, keyOf(row), plan)));
    },
  });
  pace.end();
  if (failure !== null) throw failure;
  if (left > 0) throw new Stopped();
  if (settings.form === "table") {
    const lines = [
      `${describeAim(run)}:`,
      "",
      ...(await describePlan(summary, toScreenOptions(context, settings))),
    ];
    context.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return;
  }
  const head = {
    counts: summary.counts,
    location_id: locationId,
    noun,
    target: target.name,
    tenant_id: target.tenant.id,
  };
  context.stdout.write(`${JSON.stringify(head).slice(0, -1)},"rows":[`);
  for (const [index, row] of rows.entries()) context.stdout.write(`${index > 0 ? "," : ""}${row}`);
  context.stdout.write("]}\n");
}

function toPlannedRow({ line }: Row, key: string, plan: RowPlan): object {
  if (plan.action === "reject") return { action: plan.action, errors: plan.violations, key, line };
  if (plan.action === "create") return { action: plan.action, body: plan.body, key, line };
  const { action, id } = plan;
  return { action, ...(action === "update" && { changes: plan.changes }), id, key, line };
}

async function confirmPlan(context: CliContext, run: ImportRun, summary: PlanSummary): Promise<void> {
  const { create, update, reject } = summary.counts;
  const without = reject > 0 ? `, without the ${reject} that are rejected` : "";
  const deeds = Object.entries({ create, update }).filter(([, count]) => count > 0);
  const what = deeds.map(([deed, count]) => `${deed} ${count}`).join(" and ");
  const question = `${describeAim(run)}: ${what}${without}?`;
  if (isInteractive(context) && !run.saysYes) {
    const lines = await describePlan(summary, {
      ...toScreenOptions(context, run.settings),
      isTerminal: true,
    });
    context.stderr.write(`${lines.map((line) => `${line}\n`).join("")}\n`);
  }
  await requireYes(context, question, { yes: run.saysYes });
}

function describeAim({ file, locationId, noun, target }: ImportRun): string {
  return `Import ${noun} of ${file.name} into ${target.name}, tenant ${target.tenant.id} (${target.tenant.name}), location ${locationId}`;
}

function tellOutcome(context: CliContext, run: ImportRun, applied: Applied): void {
  const { file, fileName, locationId, settings, target } = run;
  const { created, updated, same } = applied;
  const rejected = applied.rejected.length;
  const rejectsFile = rejected > 0 ? rejectsFileOf(fileName, file) : null;
  const facts = {
    created,
    location_id: locationId,
    rejected,
    rejects_file: rejectsFile,
    same,
    target: target.name,
    tenant_id: target.tenant.id,
    updated,
  };
  const sentences = [`${file.name}: ${describeCounts(applied)}.`];
  if (file.rows.length === 0) sentences[0] = `${file.name} has no rows; there is nothing to do.`;
  if (rejectsFile)
    sentences.push(
      `What was rejected is in ${rejectsFile}, each row with its error; correct it there and import that file.`,
    );
  showFacts(context, settings, facts, sentences);
}

function tellInterrupted(context: CliContext, { file, fileName }: ImportRun, applied: Applied): void {
  const done = file.rows.length - applied.left;
  const rejects =
    applied.rejected.length > 0 ? ` Those rejected so far are in ${rejectsFileOf(fileName, file)}.` : "";
  context.stderr.write(
    `Stopped after ${done} of ${file.rows.length} rows: ${describeCounts(applied)}.${rejects} The same command goes on from there.\n`,
  );
}

function describeCounts({ created, updated, same, rejected }: Applied): string {
  return `${created} created, ${updated} updated, ${same} the same, ${rejected.length} rejected`;
}
