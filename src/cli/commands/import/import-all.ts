import type { Command } from "commander";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { readSettings } from "../../settings.ts";
import { addApplyOptions, applyRecords } from "../../synchronising/apply-records.ts";
import { openTarget } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function importAllCommand(context: CliContext): Command {
  const command = defineBuiltin("all", "write")
    .summary("Import a snapshot of `export all` into a tenant")
    .description(
      "Import a snapshot into a tenant of a store or a server: create missing records, change different ones, and keep all others. It shows the plan first. A second run changes nothing. After an interruption, run it again.",
    )
    .argument("<file>", "file from `export all`");
  addFormOption(addTargetOptions(addApplyOptions(command))).addHelpText("after", `\n${notes}`);
  return command.action(async (file: string) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    const { openSnapshot } = await import("../../../sync/snapshots/read-snapshot.ts");
    const target = await openTarget(context, settings);
    try {
      const { problems, source } = await openSnapshot(file, target.clock.now());
      await applyRecords(context, { settings, options, source, from: file, target, problems });
    } finally {
      await target.close();
    }
  });
}

const notes = `Records are matched by reference_number, or else by their name at their location;
jobs by reference_number, or else by customer, address, type, and requested_on. A
renamed customer without a reference_number counts as a new one. The import runs
as Admin and Dispatcher with the checks of the operations, and the tenant's
webhooks receive every change. The caller becomes the user who created or
completed the records. A pickup_date in the past and entries of return_full are
not copied. The command lists the numbers of invalid and refused lines, imports
the others, and exits with 2.

Example:
  dispatch-cli import all acme.ndjson --tenant 1 --plan`;
