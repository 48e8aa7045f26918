import type { TaskRunner } from "../documents/threads/tasks.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { Clock, Timestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { TokenUse } from "../store/queries/usage.ts";
import type { Store } from "../store/store.ts";
import type { DeliveryPolicy, DeliveryService } from "../webhooks/delivery-service.ts";
import type { Actor } from "./actor.ts";
import type { Serving } from "./serving.ts";

export const hooksPerTenantDefault = 100;

/** What operations use: the store, the policy, and the parts of the world that tests replace. */
export interface Service extends DeliveryService {
  policy: Policy;
  /** null in processes that do not serve. */
  serving: Serving | null;
  /** Runs slow work. A server uses threads, so that it can answer requests. */
  tasks: TaskRunner;
  /** Which operations and versions tokens call. The server writes it to the store from time to time. */
  usage: UsageLog;
}

/** Decisions of the operator. */
interface Policy extends DeliveryPolicy {
  /** Public signup of haulers. Allowed on a local store, or with --allow-hauler-signup. */
  allowsHaulerSignup: boolean;
  hooksPerTenantMax: number;
  /** Font files for characters that the embedded fonts of documents lack. */
  fonts: readonly string[];
  /** False in bulk work: changes create no events for webhooks. The audit trail always has them. */
  makesEvents: boolean;
}

/** The last call of each operation and version by each token. Kept in memory, so a crash loses the unwritten part. */
export interface UsageLog {
  note(actor: Actor, operation: string, version: ApiVersion): void;
  write(store: Store): Promise<void>;
}

export function createUsageLog(clock: Clock): UsageLog {
  let noted = new Map<string, Noted>();
  return {
    note({ scope: { tenantId }, tokenId }, operation, version) {
      if (tokenId === null || tenantId === 0) return;
      const key = `${tenantId} ${tokenId} ${version} ${operation}`;
      const known = noted.get(key);
      if (known) known.use.used_on = clock.now();
      else noted.set(key, { tenantId, use: toUse(tokenId, operation, version, clock.now()) });
    },
    async write(store) {
      const taken = noted;
      noted = new Map();
      try {
        for (const tenantId of new Set([...taken.values()].map((entry) => entry.tenantId))) {
          const own = [...taken].filter(([, entry]) => entry.tenantId === tenantId);
          const uses = own.map(([, { use }]) => use);
          await store.write({ tenantId, rowScopes: wholeTenant }, (tenant) => tenant.usage.keep(uses));
          for (const [key] of own) taken.delete(key);
        }
      } finally {
        // Unwritten entries are written the next time, unless newer ones replace them.
        noted = new Map([...taken, ...noted]);
      }
    },
  };
}

interface Noted {
  tenantId: number;
  use: TokenUse;
}

function toUse(tokenId: number, operation: string, version: ApiVersion, now: Timestamp): TokenUse {
  return { api_version: version, operation, token_id: tokenId, used_on: now };
}
