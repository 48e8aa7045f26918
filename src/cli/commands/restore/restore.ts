import { existsSync } from "node:fs";
import { basename } from "node:path";
import { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { systemClock } from "../../../runtime/clock.ts";
import { isPostgresAddress, toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { runLongWork } from "../../outcome/long-work.ts";
import { showFacts } from "../../output/show-facts.ts";
import { toCellText } from "../../output/text.ts";
import { requireTypedName } from "../../prompts/require-yes.ts";
import { readSettings } from "../../settings.ts";
import { toHoldNote } from "../../target/delivery-notes.ts";
import { storeOf } from "../../target/target.ts";

/** Makes a store of a backup. */
export function restoreCommand(context: CliContext): Command {
  const command = new Command("restore")
    .description(
      "Make a store of a backup. The backup is checked in full first. A store that is there is replaced in one step, when no program has it open, and kept as <file>.before-restore-<time>; a PostgreSQL database must be empty.",
    )
    .argument("<file>", "the backup")
    .option("--data <store>", "the store to make or replace, a file or postgres://… (DISPATCH_DATA)")
    .option("--yes", "replace the store that is there without asking for its name");
  addFormOption(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli restore dispatch.backup.gz --data dispatch.db",
  );
  return command.action(async (file: string) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (settings.url.value !== null)
      throw failure("usage", "`restore` works on a store (--data), where the store is.");
    const data = storeOf(settings).value;
    const shown = toShownStore(data);
    const { openBackup, restoreStore } = await import("../../../store/life/restore-store.ts");
    const head = openBackup(file, data);
    const made = `${toCellText(head.created_on, "second")} UTC`;
    const isReplacing = !isPostgresAddress(data) && existsSync(data);
    if (isReplacing)
      await requireTypedName(
        context,
        `Replace the store ${shown} by the backup of ${made}?`,
        basename(data),
        options,
      );
    const now = systemClock.now();
    const { hold, kept } = await runLongWork(
      context,
      (progress) => restoreStore(file, head, data, now, progress),
      isPostgresAddress(data) ? "the same command goes on where it stopped" : undefined,
    );
    const { jobs = 0, customers = 0, tenants = 0 } = head.rows;
    const facts = {
      created_on: head.created_on,
      deliveries_held: hold,
      file,
      kept,
      rows: head.rows,
      schema: head.schema,
      store: shown,
    };
    showFacts(context, settings, facts, [
      `Restored ${shown} from the backup of ${made}: ${tenants} tenants, ${customers} customers, ${jobs} jobs.`,
      ...(kept === null ? [] : [`The store that was there is ${kept}.`]),
      toHoldNote(hold, data),
    ]);
  });
}
