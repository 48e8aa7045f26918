import { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { systemClock } from "../../../runtime/clock.ts";
import { toSize } from "../../../store/life/size.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { runLongWork } from "../../outcome/long-work.ts";
import { showFacts } from "../../output/show-facts.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { readSettings } from "../../settings.ts";
import { storeOf } from "../../target/target.ts";

/** Backs a store up into one file. */
export function backupCommand(context: CliContext): Command {
  const command = new Command("backup")
    .description(
      "Back a store up into one file, also while it is served and written to. The copy is checked in full, packed (gzip; `gunzip` gives the SQLite file), and gets its name only when it is whole. It holds the store's secrets: it is for its owner only.",
    )
    .argument("<file>", "the backup to make")
    .option("--data <store>", "the store, a file or postgres://… (DISPATCH_DATA)")
    .option("--yes", "replace a file of that name without asking");
  addFormOption(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli backup dispatch.backup.gz --data dispatch.db\n\n`dispatch-cli restore` makes a store of it.",
  );
  return command.action(async (file: string) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (settings.url.value !== null)
      throw failure("usage", "`backup` works on a store (--data), where the store is.");
    const data = storeOf(settings).value;
    const { backupStore, isBackupThere } = await import("../../../store/life/backup-store.ts");
    if (isBackupThere(file, data))
      await requireYes(context, `Replace the file ${file} by a new backup?`, options);
    const shown = toShownStore(data);
    const { bytes, created_on, packed_bytes, rows, schema } = await runLongWork(context, (progress) =>
      backupStore(data, file, systemClock.now(), progress),
    );
    const { jobs = 0, customers = 0, tenants = 0 } = rows;
    const facts = { bytes, created_on, file, packed_bytes, rows, schema, store: shown };
    showFacts(context, settings, facts, [
      `Backed ${shown} up to ${file}: ${tenants} tenants, ${customers} customers, ${jobs} jobs; ${toSize(bytes)} in ${toSize(packed_bytes)}, checked.`,
    ]);
  });
}
