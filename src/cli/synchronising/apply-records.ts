import type { LoadedKind } from "../../sync/load-kinds.ts";
import { countChangedSince, type Refusal, type Report, totalOf } from "../../sync/report.ts";
import { requireWriting } from "../../sync/require-roles.ts";
import type { Source } from "../../sync/source.ts";
import { isSelected, type Selection } from "../../sync/source.ts";
import { type AgreedPlans, createAgreedPlans, synchronise } from "../../sync/synchronise.ts";
import type { SyncTarget } from "../../sync/target.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { AlreadyShown } from "../outcome/already-shown.ts";
import { createProgressLine } from "../output/progress-line.ts";
import { showFacts } from "../output/tell.ts";
import { joinLines } from "../output/text.ts";
import { requireYes } from "../prompts/require-yes.ts";
import type { Settings } from "../settings.ts";
import { everyHundred } from "./every-hundred.ts";
import { describeChangedSince, exitCodeOfRefusals } from "./exit-code-of-refusals.ts";
import { describeTarget } from "./other-target.ts";
import { drawTallies, tellRefusals, toCounts, toRefused } from "./show-synchronisation.ts";

export interface Applying {
  settings: Settings;
  options: OptionValues;
  source: Source;
  /** The source, for the question. */
  from: string;
  target: SyncTarget;
  kinds: readonly LoadedKind[];
  only: Selection | null;
  /** Invalid lines of the source. */
  problems: readonly Refusal[];
}

/** Skips records that changed since the plan. Shows refusals, and ends with an exit code for them. */
export async function applyRecords(context: CliContext, applying: Applying): Promise<void> {
  const { from, kinds, only, options, settings, target } = applying;
  await requireWriting(
    target,
    kinds.filter(({ def }) => isSelected(only, def.type)),
  );
  const agreed = createAgreedPlans();
  const plan = await run(context, applying, agreed, false);
  const where = describeTarget(target);
  const facts = { target: target.name, tenant: target.tenant.id };
  const lines = await drawTallies(context, settings, plan);
  if (options.plan === true) {
    showFacts(context, settings, { ...facts, applied: false, ...toAnswer(plan) }, { drawn: lines });
    tellRefusals(context, plan.refused);
    return;
  }
  if (settings.form === "table") context.stderr.write(joinLines(lines));
  tellRefusals(context, plan.refused);
  const total = totalOf(plan, "create", "update");
  if (total > 0)
    await requireYes(context, `Create or change ${toWords(total)} in ${where} from ${from}?`, options);
  const done = total > 0 ? await run(context, applying, agreed, true) : plan;
  const planned = new Set(plan.refused.map((refusal) => JSON.stringify(refusal)));
  tellRefusals(
    context,
    done.refused.filter((refusal) => !planned.has(JSON.stringify(refusal))),
  );
  showFacts(
    context,
    settings,
    { ...facts, applied: true, ...toAnswer(done), changed_since: countChangedSince(done) },
    [toOutcome(done, where), ...describeChangedSince(done)],
  );
  if (done.refused.length > 0) throw new AlreadyShown(exitCodeOfRefusals(done));
}

async function run(
  context: CliContext,
  { kinds, only, problems, source, target }: Applying,
  agreed: AgreedPlans,
  applies: boolean,
): Promise<Report> {
  const progress = createProgressLine(context);
  const verb = applies ? "" : "comparing ";
  return synchronise({
    agreed,
    applies,
    kinds,
    only,
    onProgress: everyHundred((type, done) => progress.show(`${verb}${type} ${done}`)),
    problems,
    source,
    target,
  }).finally(() => progress.end());
}

const toAnswer = (report: Report) => ({ types: toCounts(report), refused: toRefused(report) });

const toWords = (count: number) => `${count} ${count === 1 ? "record" : "records"}`;

function toOutcome(done: Report, where: string): string {
  const [created, updated, same] = (["create", "update", "same"] as const).map((outcome) =>
    totalOf(done, outcome),
  );
  return `${created} created, ${updated} changed, ${same} were the same in ${where}.`;
}
