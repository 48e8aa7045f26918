import { requireTenantWide } from "../../operations/records.ts";
import type { SyncTarget } from "../../sync/target.ts";
import { askWhoami } from "./ask-whoami.ts";
import type { Target } from "./target.ts";

/** For import, push, and pull. */
export function toSyncTarget(target: Target): SyncTarget {
  const { client, clock, close, name, tenant } = target;
  const facts = { client, clock, close, name, tenant };
  if (target.store) {
    const { actor } = target.store;
    return {
      ...facts,
      roles: async () => actor.roles,
      requireTenantWide: () => requireTenantWide(actor),
    };
  }
  return {
    ...facts,
    roles: async () => (await askWhoami(target)).roles,
    requireTenantWide: () => undefined,
  };
}
