import type { Command } from "commander";
import { failure, usageFailure } from "../../../errors/errors.ts";
import { findUrlProblem } from "../../../models/http-url.ts";
import type { TenantMove } from "../../../store/life/move-tenant.ts";
import { toShownStore } from "../../../store/postgres/address.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { runLongWork } from "../../outcome/long-work.ts";
import { showFacts } from "../../output/tell.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { parseStore, readSettings } from "../../settings.ts";
import { storeOf } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";

export function tenantsMoveCommand(context: CliContext): Command {
  const command = defineBuiltin("move", "dangerous")
    .description(
      "Move a tenant to a PostgreSQL store that may have other tenants, with IDs, users, tokens, webhooks, and history. People keep working during the copy; the tenant is frozen only for the last changes. The command compares all rows. Then it deactivates the tenant here. After an interruption, run the same command again to continue.",
    )
    .argument("<id>", "the tenant, as `tenants list` shows it")
    .option("--data <store>", "store of the tenant: a file or postgres://… (DISPATCH_DATA)")
    .requiredOption("--to <store>", "store to move it to: postgres://…")
    .option("--new-id <id>", "the tenant's id there (default: the same)")
    .option("--new-address <url>", "address of the other server, which this one then tells callers with 410")
    .option("--without-tokens", "leave the tokens here, for example if the other store uses their ids")
    .option("--yes", "do not ask for confirmation");
  addFormOption(command).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli tenants move 2 --to postgres://dispatch@db/dispatch --new-address https://dispatch.example.com",
  );
  return command.action(async (text: string) => {
    const { newAddress = null, newId: newText = text, to, withoutTokens, yes, ...options } = command.opts();
    const settings = readSettings(context, options);
    if (settings.url.value !== null)
      throw failure(
        "usage",
        "`tenants move` works on a store (--data), on a machine that reaches both stores.",
      );
    const [tenantId, newId] = [readId(text, "The tenant"), readId(newText, "--new-id")];
    const problem = newAddress === null ? null : findUrlProblem(newAddress);
    if (problem !== null) throw failure("usage", `--new-address ${problem}.`);
    if (/^https?:/i.test(to)) throw toNoServer();
    parseStore(to, "--to");
    const data = storeOf(settings).value;
    if (data === to) throw failure("usage", "--to names the store that has the tenant already.");
    const [from, there] = [toShownStore(data), toShownStore(to)];
    await requireYes(context, `Move tenant ${tenantId} from ${from} to ${there}, and deactivate it here?`, {
      yes,
    });
    const move = { tenantId, newId, newAddress, keepsTokens: withoutTokens !== true };
    const { frozenMs, passes, rows, tables } = await runLongWork(
      context,
      (report) => moveBetween({ data, to, env: context.env }, { ...move, report }),
      "run the same command again to continue",
    );
    const facts = { frozen_ms: Math.round(frozenMs), from, new_id: newId, passes, rows, tables, to: there };
    showFacts(context, settings, facts, [
      `Moved tenant ${tenantId} to ${there}${newId === tenantId ? "" : ` as tenant ${newId}`}: ${rows} rows, all compared. It was frozen for ${(frozenMs / 1000).toFixed(1)} s.`,
      `Here it is inactive. When nothing more is needed from here: \`dispatch-cli tenants delete ${tenantId}\`.`,
    ]);
  });
}

function toNoServer() {
  return usageFailure(
    "`tenants move` writes into the other database: a server takes in no rows with their ids.",
    "Use the address of its database, --to postgres://…, on a machine that reaches both. `push --with <server>` copies records with new ids.",
  );
}

async function moveBetween(
  { data, env, to }: { data: string; to: string; env: CliContext["env"] },
  move: Omit<TenantMove, "from" | "to">,
) {
  const { openDatabase } = await import("../../../store/open-database.ts");
  const { moveTenant } = await import("../../../store/life/move-tenant.ts");
  const source = openDatabase(data, { env });
  const target = openDatabase(to, { env });
  try {
    await Promise.all([source.check(), target.check()]);
    return await moveTenant({ ...move, from: source, to: target });
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

function readId(text: string, name: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw failure("usage", `${name} is a number, as \`tenants list\` shows it.`);
}
