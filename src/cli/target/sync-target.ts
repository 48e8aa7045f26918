import { createClient } from "../../operations/client.ts";
import { requireTenantWide } from "../../operations/records.ts";
import { systemClock } from "../../runtime/clock.ts";
import type { SyncTarget } from "../../sync/target.ts";
import { askWhoami } from "./ask-whoami.ts";
import type { Target } from "./target.ts";

/** The target as records are brought from it and into it. */
export function toSyncTarget(target: Target): SyncTarget {
  const { caller, name, tenant } = target;
  const facts = { caller, client: createClient(caller), name, tenant };
  if (target.kind === "store") {
    const { actor, service } = target;
    return {
      ...facts,
      clock: service.clock,
      roles: async () => actor.roles,
      requireTenantWide: () => requireTenantWide(actor),
    };
  }
  return {
    ...facts,
    clock: systemClock,
    roles: async () => (await askWhoami(target)).roles,
    requireTenantWide: () => undefined,
  };
}
