import { isDocument, type Operation } from "../../../core/operation.ts";
import { type ApiVersion, defaultVersion, isApiVersion } from "../../../models/api-versions.ts";
import { eventModels } from "../../../models/event.ts";
import { type HookEvent, kindsOf } from "../../../models/event-kinds.ts";
import type { AnswerModel } from "../../../models/model.ts";
import { differencesOf } from "../../../models/versions/affected.ts";
import { loadOperations } from "../../../operations/index.ts";
import type { Hook } from "../../../store/queries/hooks.ts";
import type { TenantStore } from "../../../store/tenant-store.ts";

/** A token or webhook for which another version changes something. */
export interface Affected {
  /** "token 3 (owner)", "webhook 1 (https://…)". */
  who: string;
  /** The operation that the token calls, or the kind of record whose events the webhook receives. */
  uses: string;
  version: string;
  introduced: ApiVersion;
  change: string;
  /** null for webhooks: they get every kind that they subscribe to. */
  last_used_on: string | null;
}

/**
 * Finds for whom version `to` changes something: among the tokens that called this store and still hold, and among its
 * active webhooks.
 */
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
