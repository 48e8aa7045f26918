import type { Command } from "commander";
import { exitCodes } from "../../../errors/errors.ts";
import { loadKinds } from "../../../sync/load-kinds.ts";
import { readTenant } from "../../../sync/read-tenant.ts";
import { compareTenants, type Entry } from "../../../sync/synchronise.ts";
import type { Selection } from "../../../sync/whole-record.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { createProgressLine } from "../../output/progress-line.ts";
import { showFacts } from "../../output/tell.ts";
import { toVisible } from "../../output/text.ts";
import { addOnlyOption } from "../../synchronising/apply-records.ts";
import {
  addOtherOptions,
  describeTarget,
  type TwoTargets,
  withTwoTargets,
} from "../../synchronising/other-target.ts";
import { requireWholeSight } from "../../synchronising/require-roles.ts";
import {
  drawEntries,
  drawTallies,
  tellRefusals,
  toCounts,
  toDiffering,
  toRefused,
} from "../../synchronising/show-synchronisation.ts";
import { defineBuiltin } from "../builtin.ts";

export function diffCommand(context: CliContext): Command {
  const command = defineBuiltin("diff", "read").description(
    "Compare the records of two tenants, each in a store or on a server: only here (create), different (update; stays if no operation can change it), equal, and only there. Exit code 0 if equal, else 9.",
  );
  addFormOption(addTargetOptions(addOtherOptions(addOnlyOption(command)))).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli diff --tenant 1 --with copy.db --with-tenant 1",
  );
  return command.action(async () => {
    const options = command.opts();
    await withTwoTargets(context, options, (targets) => compareTargets(context, options, targets));
  });
}

async function compareTargets(
  context: CliContext,
  options: OptionValues,
  { here, settings, there }: TwoTargets,
): Promise<void> {
  await requireWholeSight(here);
  await requireWholeSight(there);
  const differing: Entry[] = [];
  const progress = createProgressLine(context);
  const { report } = await compareTenants({
    source: readTenant(here),
    target: there,
    kinds: await loadKinds(),
    only: (options.only as Selection | undefined) ?? null,
    onEntry: (entry) => void (entry.outcome !== "same" && differing.push(entry)),
    onProgress: progress.show,
  }).finally(() => progress.end());
  const isEqual = differing.length === 0 && report.refused.length === 0;
  const facts = {
    here: toSide(here),
    there: toSide(there),
    equal: isEqual,
    types: toCounts(report),
    records: toDiffering(differing),
    refused: toRefused(report),
  };
  const drawn = [
    toVisible(`here   ${describeTarget(here)}`),
    toVisible(`there  ${describeTarget(there)}`),
    "",
    ...(await drawTallies(context, settings, report)),
    "",
    ...(isEqual ? ["They are equal."] : await drawEntries(context, settings, differing)),
  ];
  showFacts(context, settings, facts, { drawn });
  tellRefusals(context, report.refused);
  if (!isEqual) throw new AlreadyShown(exitCodes.answerIsNo);
}

const toSide = ({ name, tenant }: TwoTargets["here"]) => ({ target: name, tenant: tenant.id });
