import type { Command } from "commander";
import { readTenant } from "../../../sync/read-tenant.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { addApplyOptions, applyRecords } from "../../synchronising/apply-records.ts";
import { addOtherOptions, describeTarget, withTwoTargets } from "../../synchronising/other-target.ts";
import { requireWholeSight } from "../../synchronising/require-roles.ts";
import { defineBuiltin } from "../builtin.ts";

export function pushCommand(context: CliContext): Command {
  return applyCommand(context, "push", "Copy the records of this tenant to another one");
}

export function pullCommand(context: CliContext): Command {
  return applyCommand(context, "pull", "Copy the records of another tenant into this one");
}

function applyCommand(context: CliContext, name: "push" | "pull", summary: string): Command {
  const command = defineBuiltin(name, "dangerous").description(
    `${summary}, in a store or on a server: create missing records, change different ones, and keep all others. It shows the plan first.`,
  );
  addFormOption(addTargetOptions(addOtherOptions(addApplyOptions(command)))).addHelpText(
    "after",
    `\n\`diff\` shows what differs, field by field; \`import all --help\` explains how records\nare matched and what is not copied.\n\nExample:\n  dispatch-cli ${name} --tenant 1 --with copy.db --with-tenant 1 --plan`,
  );
  return command.action(async () => {
    const options = command.opts();
    await withTwoTargets(context, options, async ({ here, settings, there }) => {
      const [from, target] = name === "push" ? [here, there] : [there, here];
      await requireWholeSight(from);
      await applyRecords(context, {
        settings,
        options,
        source: readTenant(from),
        from: describeTarget(from),
        target,
      });
    });
  });
}
