import { Command } from "commander";
import type { SchemaStatus } from "../../../store/life/schema-status.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/show-facts.ts";
import { readSettings } from "../../settings.ts";
import { storeOf } from "../../target/target.ts";

/** Brings the tables of a store up to date, or says how far they are. */
export function migrateCommand(context: CliContext): Command {
  const command = new Command("migrate")
    .description(
      "Bring a store up to date. Every command does so by itself; a file is copied to <file>.schema-<n>.bak before.",
    )
    .option("--data <store>", "the store, a file or postgres://… (DISPATCH_DATA)")
    .option("--status", "only say which steps are missing; change nothing");
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli migrate --status");
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(context, options);
    const data = storeOf(settings).value;
    const { migrateStore, readSchemaStatus } = await import("../../../store/life/schema-status.ts");
    const before = await readSchemaStatus(data);
    const status = options.status || before.pending.length === 0 ? before : await migrateStore(data);
    showFacts(context, settings, { ...status, migrated_from: before.schema }, toSentences(before, status));
  });
}

function toSentences(before: SchemaStatus, { newest, pending, schema, store }: SchemaStatus): string[] {
  if (schema > newest)
    return [`${store} has schema ${schema}; this program knows ${newest}. Use a newer dispatch-cli.`];
  if (pending.length > 0) {
    const steps = pending.map(({ name, number }) => `  ${number}  ${name}`);
    return [`${store} has schema ${schema} of ${newest}; missing:`, ...steps];
  }
  if (before.schema === schema) return [`${store} is up to date (schema ${schema}).`];
  return [`${store} was brought from schema ${before.schema} to ${schema}.`];
}
