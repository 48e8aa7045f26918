import { Command } from "commander";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { readSettings } from "../../settings.ts";
import { toSyncTarget } from "../../target/sync-target.ts";
import { openTarget } from "../../target/target.ts";

/** Imports the records of a snapshot into a tenant. */
export function importAllCommand(context: CliContext): Command {
  const command = new Command("all")
    .summary("Import a snapshot of `export all` into a tenant")
    .description(
      "Import a snapshot into a tenant of a store or a server: create missing records, change different ones, and keep all others. It shows the plan first. A second run changes nothing. After an interruption, run it again.",
    )
    .argument("<file>", "what `export all` wrote")
    .option("--plan", "only show what would be created and changed")
    .option("--only <nouns>", "only these, separated by commas, like customers,trucks")
    .option("--yes", "do not ask");
  addFormOption(addTargetOptions(command)).addHelpText("after", `\n${notes}`);
  return command.action(async (file: string) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    const { loadKinds } = await import("../../../sync/load-kinds.ts");
    const { openSnapshot } = await import("../../../sync/snapshots/read-snapshot.ts");
    const { applyRecords } = await import("../../synchronising/apply-records.ts");
    const { parseOnly } = await import("../../synchronising/parse-only.ts");
    const only = parseOnly(options.only);
    const kinds = await loadKinds();
    const target = toSyncTarget(await openTarget(context, settings));
    try {
      const { problems, source } = await openSnapshot(file, kinds, target.clock.now());
      await applyRecords(context, { settings, options, source, from: file, target, kinds, only, problems });
    } finally {
      await target.close();
    }
  });
}

const notes = `A record is found again by its reference_number, else by its name at its
location; a job by its reference_number, else by customer, address, type and
requested_on. A customer without reference_number that was renamed is another.
Everything passes the checks of the operations, as Admin and Dispatcher, and the
tenant's webhooks are told of every change. Who created and completed what is
the caller; a pickup_date that is over, and assets that came back full, are not
carried. Lines that are broken or refused are told with their numbers, the
others are given, and the exit code is 2.

Example:
  dispatch-cli import all acme.ndjson --tenant 1 --plan`;
