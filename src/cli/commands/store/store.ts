import { Command, Option } from "commander";
import { failure } from "../../../errors/errors.ts";
import {
  allowsPrivateHooks,
  readHold,
  setPrivateHooks,
  toHoldSentence,
} from "../../../store/held-deliveries.ts";
import type { CopyProgress } from "../../../store/life/copy-store.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { createProgressLine } from "../../output/progress-line.ts";
import { showFacts, tell } from "../../output/tell.ts";
import { parseStore, readSettings } from "../../settings.ts";
import { toHoldNote } from "../../target/delivery-notes.ts";
import { storeOf } from "../../target/target.ts";
import { useStore } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

export function storeCommand(context: CliContext): Command {
  return new Command("store")
    .description("Work on whole stores.")
    .addCommand(copyCommand(context))
    .addCommand(storePolicyCommand(context))
    .addCommand(reportingViewsCommand(context));
}

function copyCommand(context: CliContext): Command {
  const command = defineBuiltin("copy", "write")
    .description(
      "Copy a store, or one tenant of it, to a new file or an empty database, with IDs, tokens, webhooks, and history. The command checks counts and checksums. First stop all programs that write to the source. After an interruption, run the same command again to continue.",
    )
    .requiredOption("--from <store>", "store to copy: a file or postgres://…")
    .requiredOption("--to <store>", "store to create: a file or postgres://…")
    .option("--tenant <id>", "copy this tenant and no other");
  addFormOption(command).addHelpText(
    "after",
    `
Examples:
  dispatch-cli store copy --from dispatch.db --to postgres://dispatch@localhost/dispatch
  dispatch-cli store copy --from dispatch.db --to acme.db --tenant 7`,
  );
  return command.action(async () => {
    const { from, tenant, to, ...options } = command.opts();
    const settings = readSettings(context, options);
    parseStore(from, "--from");
    parseStore(to, "--to");
    if (from === to) throw failure("usage", "--from and --to name the same store.");
    const { copyStoreTo } = await import("../../../store/life/copy-store.ts");
    const progress = createProgressLine(context);
    const show = ({ table, done, total }: CopyProgress) => progress.show(`${table} ${done} of ${total}`);
    const { hold, rows, tables, shown } = await copyStoreTo(from, to, show, {
      env: context.env,
      tenantId: tenant === undefined ? null : readTenantId(tenant),
    }).finally(() => progress.end());
    const filled = Object.values(tables).filter((count) => count > 0).length;
    showFacts(context, settings, { deliveries_held: hold, from: shown.from, rows, tables, to: shown.to }, [
      `Copied ${rows} rows of ${filled} tables from ${shown.from} to ${shown.to}; counts and checksums match.`,
      toHoldNote(hold, shown.to),
    ]);
  });
}

function readTenantId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw failure("usage", "--tenant is the number of a tenant, as `tenants list` shows it.");
}

function reportingViewsCommand(context: CliContext): Command {
  const command = defineBuiltin("reporting-views", "read")
    .description(
      "Print SQL that creates read-only views of jobs, customers, addresses, trucks, and deliveries with plain columns. On PostgreSQL, a role sees only the tenants that reporting.readers lists for it.",
    )
    .option("--data <store>", "store to read: a file or postgres://… (DISPATCH_DATA)")
    .addHelpText("after", "\nExample:\n  dispatch-cli store reporting-views --data dispatch.db");
  return command.action(async () => {
    const { toReportingViews } = await import("./reporting-views.ts");
    const { value } = storeOf(readSettings(context, command.opts()));
    for (const line of toReportingViews(value, context.env).trimEnd().split("\n")) tell(context.stdout, line);
  });
}

function storePolicyCommand(context: CliContext): Command {
  const command = defineBuiltin("policy", "write")
    .description(
      "Show whether webhooks may use private addresses and whether deliveries are held. Allow or refuse private addresses for every server of the store, including running ones.",
    )
    .addOption(
      new Option("--private-hooks <word>", "allow or refuse private addresses").choices(["allow", "refuse"]),
    );
  addFormOption(addTargetOptions(command, "store")).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli store policy --private-hooks allow",
  );
  return command.action(() => {
    const { privateHooks, ...options } = command.opts();
    return useStore(context, options, async ({ store: { metadata } }, settings) => {
      if (privateHooks !== undefined) await setPrivateHooks(metadata, privateHooks === "allow");
      const areAllowed = await allowsPrivateHooks(metadata.get);
      const hold = await readHold(metadata);
      showFacts(
        context,
        settings,
        { deliveries_held: hold, private_hooks: areAllowed ? "allowed" : "refused" },
        [
          areAllowed
            ? "Webhooks may use private addresses."
            : "Webhooks may use public addresses only. Allow others with `--private-hooks allow`.",
          hold === null ? "Deliveries are sent." : toHoldSentence(hold),
        ],
      );
    });
  });
}
