import type { Command } from "commander";
import { isDocument, type Operation } from "../../../core/operation.ts";
import { exitCodes, failure } from "../../../errors/errors.ts";
import {
  type ApiVersion,
  apiVersions,
  defaultVersion,
  isApiVersion,
  newestVersion,
} from "../../../models/api-versions.ts";
import { eventModels } from "../../../models/event.ts";
import { type HookEvent, kindsOf } from "../../../models/event-kinds.ts";
import type { AnswerModel } from "../../../models/model.ts";
import { differencesOf } from "../../../models/versions/affected.ts";
import { loadOperations } from "../../../operations/index.ts";
import type { Hook } from "../../../store/queries/hooks.ts";
import type { TenantStore } from "../../../store/tenant-store.ts";
import { addFormOption } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { showRecords } from "../../output/show.ts";
import { tell } from "../../output/tell.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";

export function versionsCheckCommand(context: CliContext): Command {
  const command = defineBuiltin("check", "read")
    .description(
      "List the tokens and webhooks that another version affects. A server records the operations and versions of each token, but no bodies. Exit code 9 if any is affected.",
    )
    .option("--to <version>", `the version to compare with: ${apiVersions.join(", ")}`, newestVersion)
    .option("--data <store>", "store to work on: a file or postgres://… (DISPATCH_DATA)")
    .option("--tenant <id>", "work on this tenant (DISPATCH_TENANT); default: the only one");
  addFormOption(command).addHelpText(
    "after",
    `\nExample:\n  dispatch-cli versions check --to ${newestVersion}`,
  );
  return command.action(() => {
    const { to, ...options } = command.opts();
    if (!isApiVersion(to))
      throw failure("usage", `--to must be one of ${apiVersions.join(", ")}, not "${to}".`);
    return useTarget(context, options, async (target, settings) => {
      if (target.store === null)
        throw failure(
          "usage",
          "`versions check` works on a store (--data). Run it on the machine of the store.",
        );
      const { actor, service } = target.store;
      const now = service.clock.now();
      const affected = await service.store.read(actor.scope, (store) => findAffected(store, to, now));
      if (settings.form === "table" && affected.length === 0)
        tell(context.stdout, `Version ${to} affects no used token and no webhook.`);
      else
        await showRecords(
          context,
          settings,
          affected.map((entry) => ({ ...entry })),
        );
      if (affected.length > 0) throw new AlreadyShown(exitCodes.answerIsNo);
    });
  });
}

export interface Affected {
  /** "token 3 (owner)", "webhook 1 (https://…)". */
  who: string;
  /** The called operation, or the kind of record that the webhook receives. */
  uses: string;
  version: string;
  introduced: ApiVersion;
  change: string;
  /** null for webhooks. */
  last_used_on: string | null;
}

export async function findAffected(store: TenantStore, to: ApiVersion, now: string): Promise<Affected[]> {
  return [...(await findAffectedTokens(store, to, now)), ...(await findAffectedHooks(store, to))];
}

async function findAffectedTokens(store: TenantStore, to: ApiVersion, now: string): Promise<Affected[]> {
  const operations = new Map((await loadOperations()).map((operation) => [operation.name, operation]));
  const affected: Affected[] = [];
  for (const use of await store.usage.all()) {
    const token = await store.tokens.find(use.token_id);
    const operation = operations.get(use.operation);
    if (!operation || (token && hasEnded(token, now))) continue;
    for (const { introduced, text } of differencesOf(toCalled(operation), toVersion(use.api_version), to)) {
      affected.push({
        who: token ? `token ${token.id} (${token.username})` : `token ${use.token_id} (another tenant's)`,
        uses: use.operation,
        version: use.api_version,
        introduced,
        change: text,
        last_used_on: use.used_on,
      });
    }
  }
  return affected;
}

async function findAffectedHooks(store: TenantStore, to: ApiVersion): Promise<Affected[]> {
  const hooks: Hook[] = [];
  for (let index = 1; ; index++) {
    const { rows, total } = await store.hooks.page(false, { index, limit: 1000 });
    hooks.push(...rows);
    if (rows.length === 0 || hooks.length >= total) break;
  }
  return hooks.flatMap((hook) =>
    kindsOf(hook.events).flatMap((kind) =>
      differencesOf(toEventModels(kind), toVersion(hook.api_version), to).map(({ introduced, text }) => ({
        who: `webhook ${hook.id} (${hook.url})`,
        uses: kind,
        version: hook.api_version,
        introduced,
        change: text,
        last_used_on: null,
      })),
    ),
  );
}

function hasEnded(token: { expires_on: string | null; revoked_on: string | null }, now: string): boolean {
  return token.revoked_on !== null || (token.expires_on !== null && token.expires_on <= now);
}

function toCalled({ name, output, lifetime }: Operation) {
  const models: AnswerModel[] = isDocument(output) ? [] : [output];
  return { name, models, ...(lifetime && { lifetime }) };
}

const toEventModels = (kind: HookEvent) => ({ name: kind, models: [eventModels[kind]] });

const toVersion = (text: string) => (isApiVersion(text) ? text : defaultVersion);
