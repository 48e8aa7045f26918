import type { ApiVersion } from "../../models/api-versions.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";

export interface TokenUse {
  api_version: ApiVersion;
  operation: string;
  token_id: number;
  used_on: Timestamp;
}

export function usageQueries(access: TenantAccess) {
  return {
    /** Keeps the latest time, because servers report in any order. */
    async keep(uses: readonly TokenUse[]): Promise<void> {
      for (const use of uses) {
        await access
          .insert("usage", use)
          .onConflict((conflict) =>
            conflict
              .columns(["tenant_id", "token_id", "operation", "api_version"])
              .doUpdateSet({ used_on: use.used_on })
              .where("usage.used_on", "<", use.used_on),
          )
          .execute();
      }
    },
    all(): Promise<TokenUse[]> {
      return access
        .select("usage")
        .select(["api_version", "operation", "token_id", "used_on"])
        .orderBy("token_id")
        .orderBy("operation")
        .orderBy("api_version")
        .execute();
    },
  };
}
