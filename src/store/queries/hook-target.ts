import type { Selectable } from "kysely";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Database } from "../schema/database.ts";
import type { Vault } from "../secrets/vault.ts";

export interface HookTarget {
  apiVersion: ApiVersion;
  headers: Readonly<Record<string, string>> | null;
  includesCause: boolean;
  includesPrevious: boolean;
  /** Signs too until `oldSecretUntil`, during a rotation. */
  oldSecret: string | null;
  oldSecretUntil: Timestamp | null;
  secret: string | null;
  url: string;
}

type HookRow = Selectable<Database["hooks"]>;

export function toHookTarget(
  hook: Pick<
    HookRow,
    "api_version" | "include_cause" | "include_previous" | "old_secret" | "old_secret_until" | "url"
  > &
    OpenedSecrets,
): HookTarget {
  return {
    apiVersion: hook.api_version,
    headers: hook.headers,
    includesCause: Boolean(hook.include_cause),
    includesPrevious: Boolean(hook.include_previous),
    oldSecret: hook.old_secret,
    oldSecretUntil: hook.old_secret_until,
    secret: hook.secret,
    url: hook.url,
  };
}

interface OpenedSecrets {
  headers: HookTarget["headers"];
  old_secret: string | null;
  secret: string | null;
}

export function openSecrets(
  vault: Pick<Vault, "open">,
  tenantId: number,
  { headers, id, old_secret, secret }: Pick<HookRow, "headers" | "id" | "old_secret" | "secret">,
): OpenedSecrets {
  const place = { tenantId, hookId: id };
  const ownHeaders = headers === null ? "{}" : vault.open({ ...place, column: "headers" }, headers);
  return {
    // Only the queries of webhooks write them.
    headers: ownHeaders === null ? null : (JSON.parse(ownHeaders) as Record<string, string>),
    old_secret: old_secret === null ? null : vault.open({ ...place, column: "old_secret" }, old_secret),
    secret: vault.open({ ...place, column: "secret" }, secret),
  };
}
