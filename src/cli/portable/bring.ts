import { exitCodes } from "../../errors.ts";
import { AlreadyShown } from "../already-shown.ts";
import { createProgressLine } from "../output/progress-line.ts";
import { requireYes } from "../require-yes.ts";
import type { OptionValues, Settings } from "../settings.ts";
import { showFacts } from "../show-facts.ts";
import type { Target } from "../target.ts";
import type { World } from "../world.ts";
import { everyHundred } from "./every-hundred.ts";
import { describeTarget } from "./other-target.ts";
import type { LoadedType } from "./portable-model.ts";
import type { Source } from "./read-portable.ts";
import { requireWriting } from "./require-roles.ts";
import { drawTallies, tellRefusals, toCounts } from "./show-synchronisation.ts";
import { type Refusal, synchronise, type Tally } from "./synchronise.ts";

/** Records on their way into a target: the plan, a yes, then the changes. */
export interface Bringing {
  settings: Settings;
  options: OptionValues;
  source: Source;
  /** Where they come from, for the question. */
  from: string;
  target: Target;
  types: readonly LoadedType[];
  only: ReadonlySet<string> | null;
  /** Lines that are broken. */
  problems: readonly { line: number; detail: string }[];
}

/** Makes the target like the source after showing what that means. What is refused is told, and ends with exit code 2. */
export async function bringRecords(world: World, bringing: Bringing): Promise<void> {
  const { from, only, options, problems, settings, source, target, types } = bringing;
  await requireWriting(
    target,
    types.filter(({ def }) => only?.has(def.type) ?? true),
  );
  const broken = problems.map(({ line, detail }) => ({ type: null, id: null, label: null, line, detail }));
  const planned: Refusal[] = [...broken];
  const progress = createProgressLine(world);
  const parts = { source, target, types, only };
  const plan = await synchronise({
    ...parts,
    applies: false,
    onProgress: everyHundred((type, done) => progress.show(`comparing ${type} ${done}`)),
    onRefusal: (refusal) => planned.push(refusal),
  }).finally(() => progress.end());
  const where = describeTarget(target);
  const facts = { target: target.name, tenant: target.tenant.id };
  const lines = await drawTallies(world, settings, plan);
  if (options.plan === true) {
    showFacts(world, settings, { ...facts, applied: false, types: toCounts(plan), refused: planned }, lines);
    tellRefusals(world, planned);
    return;
  }
  if (settings.form === "table") for (const line of lines) world.stderr.write(`${line}\n`);
  const total = countChanges(plan);
  if (total > 0) {
    tellRefusals(world, planned);
    await requireYes(world, `Create or change ${toWords(total)} in ${where} from ${from}?`, options);
  }
  const refused: Refusal[] = total > 0 ? [...broken] : planned;
  const done =
    total === 0
      ? plan
      : await synchronise({
          ...parts,
          applies: true,
          onProgress: everyHundred((type, count) => progress.show(`${type} ${count}`)),
          onRefusal: (refusal) => refused.push(refusal),
        }).finally(() => progress.end());
  tellRefusals(world, refused.slice(total > 0 ? planned.length : 0));
  showFacts(world, settings, { ...facts, applied: true, types: toCounts(done), refused }, [
    toOutcome(done, where),
  ]);
  if (refused.length > 0) throw new AlreadyShown(exitCodes.invalid);
}

const countOf = (tallies: ReadonlyMap<string, Tally>, action: keyof Tally) =>
  [...tallies.values()].reduce((sum, tally) => sum + tally[action], 0);

const countChanges = (tallies: ReadonlyMap<string, Tally>) =>
  countOf(tallies, "create") + countOf(tallies, "update");

const toWords = (count: number) => `${count} ${count === 1 ? "record" : "records"}`;

function toOutcome(done: ReadonlyMap<string, Tally>, where: string): string {
  const [created, updated, same] = (["create", "update", "same"] as const).map((action) =>
    countOf(done, action),
  );
  return `${created} created, ${updated} changed, ${same} were the same in ${where}.`;
}
