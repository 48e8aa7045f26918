import { bindToTenant, type TenantAccess } from "./access/access.ts";
import type { Memories } from "./access/memories.ts";
import type { Scope } from "./access/row-scopes.ts";
import type { TenantRows } from "./api.ts";
import { accountQueries, tenantQueries } from "./queries/accounts.ts";
import { auditQueries } from "./queries/audit.ts";
import { backlogQueries } from "./queries/backlog.ts";
import { chatQueries } from "./queries/chats.ts";
import { customerQueries } from "./queries/customers.ts";
import { deliveryQueries } from "./queries/deliveries.ts";
import { dueDeliveryQueries } from "./queries/deliveries-due.ts";
import { finishDeliveryQueries } from "./queries/deliveries-finish.ts";
import { deliveryWorkerQueries } from "./queries/delivery-workers.ts";
import { erasureQueries } from "./queries/erasures.ts";
import { eventQueries } from "./queries/events.ts";
import { gpsQueries } from "./queries/gps.ts";
import { haulerConnectionQueries, haulerQueries } from "./queries/haulers.ts";
import { hookQueries } from "./queries/hooks.ts";
import { idempotencyKeyQueries } from "./queries/idempotency-keys.ts";
import { jobPartQueries } from "./queries/job-parts.ts";
import { jobReencodingQueries } from "./queries/job-record.ts";
import { jobQueries } from "./queries/jobs.ts";
import {
  assetQueries,
  assetTypeQueries,
  driverQueries,
  dumpDestinationQueries,
  materialQueries,
  truckQueries,
} from "./queries/location-records.ts";
import { locationQueries } from "./queries/locations.ts";
import { metadataQueries } from "./queries/metadata.ts";
import { type CausedDeliveries, outboxQueries } from "./queries/outbox.ts";
import { peopleQueries } from "./queries/people.ts";
import { referenceQueries } from "./queries/references.ts";
import { retentionQueries } from "./queries/retention.ts";
import { searchQueries } from "./queries/search.ts";
import { hookSecretQueries } from "./queries/secret-forms.ts";
import { statisticsQueries } from "./queries/statistics.ts";
import { tokenLineageQueries, tokenQueries } from "./queries/tokens.ts";
import { usageQueries } from "./queries/usage.ts";
import { userQueries } from "./queries/users.ts";
import type { SecretKeys } from "./secrets/secret-keys.ts";
import { createVault } from "./secrets/vault.ts";

export type TenantStore = { readonly [Name in keyof typeof members]: ReturnType<(typeof members)[Name]> };

interface Parts {
  access: TenantAccess;
  caused: CausedDeliveries;
  keys: SecretKeys;
  rows: TenantRows;
}

export function bindTenantStore(
  rows: TenantRows,
  { tenantId, rowScopes }: Scope,
  memories: Memories,
  keys: SecretKeys,
): TenantStore {
  const access = bindToTenant(rows, tenantId, rowScopes, memories);
  // The loop below adds the members of TenantStore to its prototype.
  return new LazyTenantStore({
    access,
    caused: { firstEventId: null },
    keys,
    rows,
  }) as unknown as TenantStore;
}

const toVault = ({ keys, rows }: Parts) => createVault(keys, metadataQueries(rows.all));

const members = {
  accounts: ({ rows }: Parts) => accountQueries(rows.all),
  backlog: ({ keys, rows }: Parts) => backlogQueries(rows.all, keys),
  chats: ({ access }: Parts) => chatQueries(access),
  audit: ({ access }: Parts) => auditQueries(access),
  customers: ({ access }: Parts) => customerQueries(access),
  erasures: ({ access }: Parts) => erasureQueries(access),
  events: ({ access }: Parts) => eventQueries(access),
  gps: ({ access }: Parts) => gpsQueries(access),
  haulerConnections: ({ access }: Parts) => haulerConnectionQueries(access),
  haulers: ({ rows }: Parts) => haulerQueries(rows.all),
  assets: ({ access }: Parts) => assetQueries(access),
  assetTypes: ({ access }: Parts) => assetTypeQueries(access),
  drivers: ({ access }: Parts) => driverQueries(access),
  dumpDestinations: ({ access }: Parts) => dumpDestinationQueries(access),
  deliveries: ({ access, caused }: Parts) => deliveryQueries(access, caused),
  dueDeliveries: (parts: Parts) => ({
    ...dueDeliveryQueries(parts.access, toVault(parts)),
    ...finishDeliveryQueries(parts.access),
  }),
  hooks: (parts: Parts) => hookQueries(parts.access, toVault(parts)),
  hookSecrets: (parts: Parts) => hookSecretQueries(parts.access, toVault(parts)),
  deliveryWorkers: ({ rows }: Parts) => deliveryWorkerQueries(rows.own),
  idempotencyKeys: ({ access }: Parts) => idempotencyKeyQueries(access),
  jobParts: ({ access }: Parts) => jobPartQueries(access),
  jobReencoding: ({ access }: Parts) => jobReencodingQueries(access),
  jobs: ({ access }: Parts) => jobQueries(access),
  locations: ({ access }: Parts) => locationQueries(access),
  materials: ({ access }: Parts) => materialQueries(access),
  metadata: ({ rows }: Parts) => metadataQueries(rows.all),
  outbox: ({ access, caused }: Parts) => outboxQueries(access, caused),
  people: ({ access }: Parts) => peopleQueries(access),
  references: ({ access }: Parts) => referenceQueries(access),
  retention: ({ access }: Parts) => retentionQueries(access),
  search: ({ access, rows }: Parts) => searchQueries(access, rows.own),
  statistics: ({ access }: Parts) => statisticsQueries(access),
  tenant: ({ access, rows }: Parts) => tenantQueries(rows.own, access.tenantId),
  tokens: ({ access }: Parts) => tokenQueries(access),
  tokenLineage: ({ rows }: Parts) => tokenLineageQueries(rows),
  trucks: ({ access }: Parts) => truckQueries(access),
  usage: ({ access }: Parts) => usageQueries(access),
  users: ({ access }: Parts) => userQueries(access),
};

/** Creates a member on first use: creating all took a tenth of the time of reading one job. */
class LazyTenantStore {
  readonly parts: Parts;
  readonly made: Record<string, object> = {};

  constructor(parts: Parts) {
    this.parts = parts;
  }
}

for (const [name, make] of Object.entries(members)) {
  Object.defineProperty(LazyTenantStore.prototype, name, {
    get(this: LazyTenantStore) {
      this.made[name] ??= make(this.parts);
      return this.made[name];
    },
  });
}
