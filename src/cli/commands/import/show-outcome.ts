import { countAll, countChangedSince, type Report } from "../../../sync/report.ts";
import { rejectsFileOf } from "../../../sync/rows/rejects.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/show-facts.ts";
import { tell } from "../../output/tell.ts";
import { describeChangedSince } from "../../synchronising/exit-code-of-refusals.ts";
import type { ImportRun } from "./import-run.ts";
import { rowCounts } from "./show-plan.ts";

/** Shows how many rows became what, and where those are that were rejected. */
export function showOutcome(context: CliContext, run: ImportRun, report: Report): void {
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
      `What was rejected is in ${rejectsFile}, each row with its error; correct it there and import that file.`,
    );
  showFacts(context, settings, facts, [...sentences, ...describeChangedSince(report)]);
}

/** Says on stderr how far an import came that was stopped. */
export function tellInterrupted(context: CliContext, { file, fileName }: ImportRun, report: Report): void {
  const rejects =
    report.refused.length > 0 ? ` Those rejected so far are in ${rejectsFileOf(fileName, file)}.` : "";
  tell(
    context.stderr,
    `Stopped after ${countAll(report)} of ${file.rows.length} rows: ${describeCounts(report)}.${rejects} The same command goes on from there.`,
  );
}

function describeCounts(report: Report): string {
  const { create, reject, same, update } = rowCounts(report);
  return `${create} created, ${update} updated, ${same} the same, ${reject} rejected`;
}
