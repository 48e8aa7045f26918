import type { Selectable } from "kysely";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Database } from "../schema/database.ts";

/** As much of a webhook as a request to it takes: where it goes, who signs it, and in which version its body is. */
export interface HookTarget {
  apiVersion: ApiVersion;
  /** Signs as well until `oldSecretUntil`, while a rotation lasts; null when there is none. */
  oldSecret: string | null;
  oldSecretUntil: Timestamp | null;
  secret: string;
  url: string;
}

/** The target of a webhook's row, or of a webhook. */
export function toHookTarget(
  row: Pick<
    Selectable<Database["hooks"]>,
    "api_version" | "old_secret" | "old_secret_until" | "secret" | "url"
  >,
): HookTarget {
  return {
    apiVersion: row.api_version,
    oldSecret: row.old_secret,
    oldSecretUntil: row.old_secret_until,
    secret: row.secret,
    url: row.url,
  };
}
