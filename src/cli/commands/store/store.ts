import { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import type { CopyProgress } from "../../../store/life/copy-store.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { createProgressLine } from "../../output/progress-line.ts";
import { showFacts } from "../../output/show-facts.ts";
import { parseStore, readSettings } from "../../settings.ts";
import { toHoldNote } from "../../target/delivery-notes.ts";
import { storePolicyCommand } from "./store-policy.ts";

/** The commands that work on whole stores. */
export function storeCommand(context: CliContext): Command {
  return new Command("store")
    .description("Work on whole stores.")
    .addCommand(copyCommand(context))
    .addCommand(storePolicyCommand(context));
}

function copyCommand(context: CliContext): Command {
  const command = new Command("copy")
    .description(
      "Copy a whole store into an empty one, another file or database: every tenant, ids kept, checked by counts and checksums. When it is interrupted, the same command goes on where it stopped. Stop what writes to the source before.",
    )
    .requiredOption("--from <store>", "the store to copy: a file or postgres://…")
    .requiredOption("--to <store>", "the store to make: a file or postgres://…");
  addFormOption(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli store copy --from dispatch.db --to postgres://dispatch@localhost/dispatch",
  );
  return command.action(async () => {
    const { from, to, ...options } = command.opts();
    const settings = readSettings(context, options);
    parseStore(from, "--from");
    parseStore(to, "--to");
    if (from === to) throw failure("usage", "--from and --to name the same store.");
    const { copyStoreTo } = await import("../../../store/life/copy-store-to.ts");
    const progress = createProgressLine(context);
    const show = ({ table, done, total }: CopyProgress) => progress.show(`${table} ${done} of ${total}`);
    const { hold, rows, tables, shown } = await copyStoreTo(from, to, show, {
      env: context.env,
    }).finally(() => progress.end());
    const filled = Object.values(tables).filter((count) => count > 0).length;
    showFacts(context, settings, { deliveries_held: hold, from: shown.from, rows, tables, to: shown.to }, [
      `Copied ${rows} rows of ${filled} tables from ${shown.from} to ${shown.to}; counts and checksums agree.`,
      toHoldNote(hold, shown.to),
    ]);
  });
}
