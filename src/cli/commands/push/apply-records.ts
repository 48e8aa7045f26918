import { exitCodes } from "../../../errors/errors.ts";
import type { Source } from "../../../sync/read-records.ts";
import { requireWriting } from "../../../sync/require-roles.ts";
import type { LoadedType } from "../../../sync/snapshot-model.ts";
import { type Refusal, synchronise, type Tally } from "../../../sync/synchronise.ts";
import type { SyncTarget } from "../../../sync/target.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { createProgressLine } from "../../output/progress-line.ts";
import { showFacts } from "../../output/show-facts.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import type { Settings } from "../../settings.ts";
import { describeTarget } from "../diff/other-target.ts";
import { drawTallies, tellRefusals, toCounts } from "../diff/show-synchronisation.ts";
import { everyHundred } from "../export/every-hundred.ts";

/** Records on their way into a target: the plan, a yes, then the changes. */
export interface Applying {
  settings: Settings;
  options: OptionValues;
  source: Source;
  /** Where they come from, for the question. */
  from: string;
  target: SyncTarget;
  types: readonly LoadedType[];
  only: ReadonlySet<string> | null;
  /** Lines that are broken. */
  problems: readonly { line: number; detail: string }[];
}

/** Makes the target like the source after showing what that means. What is refused is told, and ends with exit code 2. */
export async function applyRecords(context: CliContext, applying: Applying): Promise<void> {
  const { from, only, options, settings, target, types } = applying;
  await requireWriting(
    target,
    types.filter(({ def }) => only?.has(def.type) ?? true),
  );
  const plan = await run(context, applying, false);
  const where = describeTarget(target);
  const facts = { target: target.name, tenant: target.tenant.id };
  const lines = await drawTallies(context, settings, plan.tallies);
  if (options.plan === true) {
    showFacts(context, settings, { ...facts, applied: false, ...toAnswer(plan) }, lines);
    tellRefusals(context, plan.refused);
    return;
  }
  if (settings.form === "table") for (const line of lines) context.stderr.write(`${line}\n`);
  tellRefusals(context, plan.refused);
  const total = countChanges(plan);
  if (total > 0)
    await requireYes(context, `Create or change ${toWords(total)} in ${where} from ${from}?`, options);
  const done = total > 0 ? await run(context, applying, true) : plan;
  const told = new Set(plan.refused.map((refusal) => JSON.stringify(refusal)));
  tellRefusals(
    context,
    done.refused.filter((refusal) => !told.has(JSON.stringify(refusal))),
  );
  showFacts(context, settings, { ...facts, applied: true, ...toAnswer(done) }, [toOutcome(done, where)]);
  if (done.refused.length > 0) throw new AlreadyShown(exitCodes.invalid);
}

/** What a comparison found, or what was done. */
interface Course {
  tallies: ReadonlyMap<string, Tally>;
  refused: readonly Refusal[];
}

async function run(
  context: CliContext,
  { only, problems, source, target, types }: Applying,
  applies: boolean,
): Promise<Course> {
  const refused: Refusal[] = problems.map(({ line, detail }) => ({
    type: null,
    id: null,
    label: null,
    line,
    detail,
  }));
  const progress = createProgressLine(context);
  const verb = applies ? "" : "comparing ";
  const tallies = await synchronise({
    applies,
    only,
    onProgress: everyHundred((type, done) => progress.show(`${verb}${type} ${done}`)),
    onRefusal: (refusal) => refused.push(refusal),
    source,
    target,
    types,
  }).finally(() => progress.end());
  return { tallies, refused };
}

const toAnswer = ({ refused, tallies }: Course) => ({ types: toCounts(tallies), refused });

const countOf = ({ tallies }: Course, action: keyof Tally) =>
  [...tallies.values()].reduce((sum, tally) => sum + tally[action], 0);

const countChanges = (plan: Course) => countOf(plan, "create") + countOf(plan, "update");

const toWords = (count: number) => `${count} ${count === 1 ? "record" : "records"}`;

function toOutcome(done: Course, where: string): string {
  const [created, updated, same] = (["create", "update", "same"] as const).map((action) =>
    countOf(done, action),
  );
  return `${created} created, ${updated} changed, ${same} were the same in ${where}.`;
}
