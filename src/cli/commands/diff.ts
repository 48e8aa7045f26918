import { Command } from "commander";
import { exitCodes } from "../../errors.ts";
import { AlreadyShown } from "../already-shown.ts";
import { addFormOption, addTargetOptions } from "../common-options.ts";
import { createProgressLine } from "../output/progress-line.ts";
import { everyHundred } from "../portable/every-hundred.ts";
import {
  addOtherOptions,
  describeTarget,
  type TwoTargets,
  withTwoTargets,
} from "../portable/other-target.ts";
import { loadPortableTypes, parseOnly } from "../portable/portable-model.ts";
import { readTenant } from "../portable/read-portable.ts";
import { requireWholeSight } from "../portable/require-roles.ts";
import { drawEntries, drawTallies, tellRefusals, toCounts } from "../portable/show-synchronisation.ts";
import { type Entry, type Refusal, synchronise } from "../portable/synchronise.ts";
import type { OptionValues } from "../settings.ts";
import { showFacts } from "../show-facts.ts";
import type { World } from "../world.ts";

/** Says how the records of two tenants differ, wherever they are. */
export function diffCommand(world: World): Command {
  const command = new Command("diff")
    .description(
      "Compare a tenant's records with those of another tenant, each in a store or on a server: what is only here (create), what differs (update; stays, where no operation can change it), what is the same, and what is only there. Exit code 0 when they are equal, 9 when not.",
    )
    .option("--only <nouns>", "only these, separated by commas, like customers,trucks");
  addFormOption(addTargetOptions(addOtherOptions(command))).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli diff --tenant 1 --with copy.db --with-tenant 1",
  );
  return command.action(async () => {
    const options = command.opts();
    await withTwoTargets(world, options, (targets) => compareTargets(world, options, targets));
  });
}

async function compareTargets(
  world: World,
  options: OptionValues,
  { here, settings, there }: TwoTargets,
): Promise<void> {
  await requireWholeSight(here);
  await requireWholeSight(there);
  const differing: Entry[] = [];
  const refused: Refusal[] = [];
  const progress = createProgressLine(world);
  const tallies = await synchronise({
    source: readTenant(here),
    target: there,
    types: await loadPortableTypes(),
    only: parseOnly(options.only),
    applies: false,
    onEntry: (entry) => void (entry.action !== "same" && differing.push(entry)),
    onProgress: everyHundred((type, done) => progress.show(`comparing ${type} ${done}`)),
    onRefusal: (refusal) => refused.push(refusal),
  }).finally(() => progress.end());
  const isEqual = differing.length === 0 && refused.length === 0;
  const sides = { here: toSide(here), there: toSide(there) };
  const facts = { ...sides, equal: isEqual, types: toCounts(tallies), records: differing, refused };
  showFacts(world, settings, facts, [
    `here   ${describeTarget(here)}`,
    `there  ${describeTarget(there)}`,
    "",
    ...(await drawTallies(world, settings, tallies)),
    "",
    ...(isEqual ? ["They are equal."] : await drawEntries(world, settings, differing)),
  ]);
  tellRefusals(world, refused);
  if (!isEqual) throw new AlreadyShown(exitCodes.answerIsNo);
}

const toSide = ({ name, tenant }: TwoTargets["here"]) => ({ target: name, tenant: tenant.id });
