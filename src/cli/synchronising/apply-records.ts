import type { Command } from "commander";
import { failure } from "../../errors/errors.ts";
import { loadKinds } from "../../sync/load-kinds.ts";
import {
  countChangedSince,
  describeChangedSince,
  exitCodeOfRefusals,
  type Report,
  totalOf,
} from "../../sync/report.ts";
import { syncKinds } from "../../sync/sync-kinds.ts";
import { applyDifferences, compareTenants, type Synchronisation } from "../../sync/synchronise.ts";
import { isSelected, type Selection } from "../../sync/whole-record.ts";
import type { CliContext } from "../context.ts";
import { AlreadyShown } from "../outcome/already-shown.ts";
import { createProgressLine } from "../output/progress-line.ts";
import { showFacts } from "../output/tell.ts";
import { joinLines } from "../output/text.ts";
import { requireYes } from "../prompts/require-yes.ts";
import type { Settings } from "../settings.ts";
import type { Target } from "../target/target.ts";
import { describeTarget } from "./other-target.ts";
import { requireWriting } from "./require-roles.ts";
import { drawTallies, tellRefusals, toCounts, toRefused } from "./show-synchronisation.ts";

export function addOnlyOption(command: Command): Command {
  const about = "only these kinds of records, separated by commas, like customers,trucks";
  return command.option("--only <nouns>", about, parseOnly);
}

export function addApplyOptions(command: Command): Command {
  const about = "only show what would be created and changed";
  return addOnlyOption(command.option("--plan", about)).option("--yes", "do not ask");
}

function parseOnly(text: string): Selection {
  const known = new Map(syncKinds.map(({ noun, type }) => [noun, type]));
  const types = text.split(",").map((word) => {
    const type = known.get(word.trim());
    if (type) return type;
    throw failure("usage", `--only takes ${[...known.keys()].join(", ")}, not "${word.trim()}".`);
  });
  return { types: new Set(types), name: "--only" };
}

interface Applying extends Omit<Synchronisation, "kinds" | "onProgress" | "only"> {
  settings: Settings;
  target: Target;
  options: { only?: Selection; plan?: true; yes?: true };
  /** The source, for the question. */
  from: string;
}

/** Skips records that changed since the plan. Shows refusals, and ends with an exit code for them. */
export async function applyRecords(context: CliContext, applying: Applying): Promise<void> {
  const { from, options, settings, target } = applying;
  const only: Selection | null = options.only ?? null;
  const kinds = await loadKinds();
  await requireWriting(
    target,
    kinds.filter(({ def }) => isSelected(only, def.type)),
  );
  const progress = createProgressLine(context);
  const sync = { ...applying, kinds, onProgress: progress.show, only };
  const compared = await compareTenants(sync).finally(() => progress.end());
  const plan = compared.report;
  const where = describeTarget(target);
  const facts = { target: target.name, tenant: target.tenant.id };
  const lines = await drawTallies(context, settings, plan);
  if (options.plan) {
    showFacts(context, settings, { ...facts, applied: false, ...toAnswer(plan) }, { drawn: lines });
    tellRefusals(context, plan.refused);
    return;
  }
  if (settings.form === "table") context.stderr.write(joinLines(lines));
  tellRefusals(context, plan.refused);
  const total = totalOf(plan, "create", "update");
  if (total > 0)
    await requireYes(context, `Create or change ${toWords(total)} in ${where} from ${from}?`, options);
  const done = await applyDifferences(sync, compared).finally(() => progress.end());
  tellRefusals(context, done.refused);
  done.refused.unshift(...plan.refused);
  showFacts(
    context,
    settings,
    { ...facts, applied: true, ...toAnswer(done), changed_since: countChangedSince(done) },
    [toOutcome(done, where), ...describeChangedSince(done)],
  );
  if (done.refused.length > 0) throw new AlreadyShown(exitCodeOfRefusals(done));
}

const toAnswer = (report: Report) => ({ types: toCounts(report), refused: toRefused(report) });

const toWords = (count: number) => `${count} ${count === 1 ? "record" : "records"}`;

function toOutcome(done: Report, where: string): string {
  const [created, updated, same] = (["create", "update", "same"] as const).map((outcome) =>
    totalOf(done, outcome),
  );
  return `${created} created, ${updated} changed, ${same} were the same in ${where}.`;
}
