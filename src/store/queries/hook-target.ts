import type { Selectable } from "kysely";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Database } from "../schema/database.ts";
import type { Vault } from "../secrets/vault.ts";

/** As much of a webhook as a request to it takes: where it goes, who signs it, and in which version its body is. */
export interface HookTarget {
  apiVersion: ApiVersion;
  /** Its own; null when they are encrypted and cannot be opened here. */
  headers: Readonly<Record<string, string>> | null;
  /** The body tells what the fields that changed were before. */
  includesPrevious: boolean;
  /** Signs as well until `oldSecretUntil`, while a rotation lasts; null when there is none. */
  oldSecret: string | null;
  oldSecretUntil: Timestamp | null;
  /** null when it is encrypted and cannot be opened here (OP-107). */
  secret: string | null;
  url: string;
}

type HookRow = Selectable<Database["hooks"]>;

/** The target of a webhook, its secrets opened. */
export function toHookTarget(
  hook: Pick<HookRow, "api_version" | "include_previous" | "old_secret" | "old_secret_until" | "url"> &
    OpenedSecrets,
): HookTarget {
  return {
    apiVersion: hook.api_version,
    headers: hook.headers,
    includesPrevious: Boolean(hook.include_previous),
    oldSecret: hook.old_secret,
    oldSecretUntil: hook.old_secret_until,
    secret: hook.secret,
    url: hook.url,
  };
}

/** The secrets of a webhook. */
interface OpenedSecrets {
  headers: HookTarget["headers"];
  old_secret: string | null;
  secret: string | null;
}

/** The secrets of a webhook's row; null is one that cannot be opened here. */
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
