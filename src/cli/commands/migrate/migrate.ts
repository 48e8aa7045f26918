import type { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import type { Repair } from "../../../store/life/repair-store.ts";
import type { SchemaStatus } from "../../../store/life/schema-status.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { showFacts } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { storeOf } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function migrateCommand(context: CliContext): Command {
  const command = defineBuiltin("migrate", "write")
    .description(
      "Upgrade a store's schema. Every command does this automatically, after a copy of the file to <file>.schema-<n>.bak.",
    )
    .option("--data <store>", "store to work on: a file or postgres://… (DISPATCH_DATA)")
    .option("--status", "list pending steps without a change")
    .option(
      "--repair",
      "recreate missing indexes and triggers, remove foreign ones, and recount stored counts",
    );
  addFormOption(command).addHelpText("after", "\nExample:\n  dispatch-cli migrate --status");
  return command.action(async () => {
    const options = command.opts();
    const { env } = context;
    const settings = readSettings(context, options);
    const data = storeOf(settings).value;
    const { migrateStore, readSchemaStatus } = await import("../../../store/life/schema-status.ts");
    const before = await readSchemaStatus(data, env);
    const status = options.status || before.pending.length === 0 ? before : await migrateStore(data, env);
    const repair = options.repair === true ? await repairUpgraded(data, status, env) : null;
    const facts = { ...status, migrated_from: before.schema, ...repair };
    showFacts(context, settings, facts, [...toSentences(before, status), ...toRepaired(repair)]);
  });
}

async function repairUpgraded(
  data: string,
  { newest, schema, store }: SchemaStatus,
  env: CliContext["env"],
): Promise<Repair> {
  if (schema !== newest)
    throw failure(
      "usage",
      `${store} has schema ${schema}, not ${newest}: leave out --status, or use its own program.`,
    );
  const { repairStore } = await import("../../../store/life/repair-store.ts");
  return repairStore(data, env);
}

/** Which programs may run during and after a step. */
function toWhoGoesOn(oldestProgram: number, step: number): string {
  if (oldestProgram === step) return "stop older programs first";
  return `programs of schema ${oldestProgram} and later may keep running`;
}

function toRepaired(repair: Repair | null): string[] {
  if (repair === null) return [];
  const made =
    repair.made.length === 0 ? "No index or trigger was missing." : `Made anew: ${repair.made.join(", ")}.`;
  const removed = repair.removed.length === 0 ? [] : [`Removed: ${repair.removed.join(", ")}.`];
  const recounted = repair.recounted ? ["Stored counts were recounted."] : [];
  return [made, ...removed, ...recounted];
}

function toSentences(
  before: SchemaStatus,
  { newest, oldest_program: oldest, pending, schema, store }: SchemaStatus,
): string[] {
  if (schema > newest && oldest <= newest)
    return [`${store} has schema ${schema} of a newer program. This program (${newest}) can use it.`];
  if (schema > newest)
    return [`${store} has schema ${schema}; this program knows ${newest}. Use a newer dispatch-cli.`];
  if (pending.length > 0) {
    const steps = pending.map(
      ({ name, number, oldest_program, phase }) =>
        `  ${number}  ${name} (${phase}: ${toWhoGoesOn(oldest_program, number)})`,
    );
    return [`${store} has schema ${schema} of ${newest}. Pending:`, ...steps];
  }
  if (before.schema === schema) return [`${store} is up to date (schema ${schema}).`];
  return [`${store} was upgraded from schema ${before.schema} to ${schema}.`];
}
