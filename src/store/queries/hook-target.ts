import type { Selectable } from "kysely";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Database } from "../schema/database.ts";
import type { Vault } from "../secrets/vault.ts";

/** As much of a webhook as a request to it takes: where it goes, who signs it, and in which version its body is. */
export interface HookTarget {
  apiVersion: ApiVersion;
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
  hook: Pick<HookRow, "api_version" | "old_secret" | "old_secret_until" | "url"> & { secret: string | null },
): HookTarget {
  return {
    apiVersion: hook.api_version,
    oldSecret: hook.old_secret,
    oldSecretUntil: hook.old_secret_until,
    secret: hook.secret,
    url: hook.url,
  };
}

/** The secrets of a webhook's row; null is one that cannot be opened here. */
export function openSecrets(
  vault: Pick<Vault, "open">,
  tenantId: number,
  { id, old_secret, secret }: Pick<HookRow, "id" | "old_secret" | "secret">,
): { old_secret: string | null; secret: string | null } {
  const place = { tenantId, hookId: id };
  return {
    old_secret: old_secret === null ? null : vault.open({ ...place, column: "old_secret" }, old_secret),
    secret: vault.open({ ...place, column: "secret" }, secret),
  };
}
