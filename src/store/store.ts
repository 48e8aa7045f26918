import { bindToTenant, type Memories, type TenantAccess } from "./access/access.ts";
import { createCountMemories, noCountMemory } from "./access/count-memory.ts";
import { createTransactionMemory, toPassingMemory, toSharedMemory } from "./access/customer-memory.ts";
import { createEmbedMemories, noEmbedMemory } from "./access/embed-memory.ts";
import { RevisionCache } from "./access/revision-cache.ts";
import type { Scope } from "./access/row-scopes.ts";
import type { OpenDatabase, SharedFile, TenantRows, WriteLocks } from "./api.ts";
import type { StoreFault } from "./condition.ts";
import { type AccountQueries, accountQueries } from "./queries/accounts.ts";
import { assetTypeQueries } from "./queries/asset-types.ts";
import { assetQueries } from "./queries/assets.ts";
import { auditQueries } from "./queries/audit.ts";
import { type BacklogQueries, backlogQueries } from "./queries/backlog.ts";
import { chatQueries } from "./queries/chats.ts";
import { customerQueries } from "./queries/customers.ts";
import { deliveryQueries } from "./queries/deliveries.ts";
import { dueDeliveryQueries } from "./queries/deliveries-due.ts";
import { finishDeliveryQueries } from "./queries/deliveries-finish.ts";
import { pruneQueries } from "./queries/deliveries-prune.ts";
import { deliveryWorkerQueries } from "./queries/delivery-workers.ts";
import { driverQueries } from "./queries/drivers.ts";
import { dumpDestinationQueries } from "./queries/dump-destinations.ts";
import { eventQueries } from "./queries/events.ts";
import { gpsQueries } from "./queries/gps.ts";
import { haulerConnectionQueries } from "./queries/hauler-connections.ts";
import { haulerQueries } from "./queries/haulers.ts";
import { hookSecretQueries } from "./queries/hook-secrets.ts";
import { hookQueries } from "./queries/hooks.ts";
import { idempotencyKeyQueries } from "./queries/idempotency-keys.ts";
import { jobPartQueries } from "./queries/job-parts.ts";
import { jobReencodingQueries } from "./queries/job-reencoding.ts";
import { jobQueries } from "./queries/jobs.ts";
import { locationQueries } from "./queries/locations.ts";
import { materialQueries } from "./queries/materials.ts";
import { type MetadataQueries, metadataQueries } from "./queries/metadata.ts";
import { type CausedDeliveries, outboxQueries } from "./queries/outbox.ts";
import { referenceQueries } from "./queries/references.ts";
import { type SecretFormQueries, secretFormQueries } from "./queries/secret-forms.ts";
import { statisticsQueries } from "./queries/statistics.ts";
import { tenantQueries } from "./queries/tenants.ts";
import { tokenLineageQueries } from "./queries/token-lineage.ts";
import { tokenQueries } from "./queries/tokens.ts";
import { truckQueries } from "./queries/trucks.ts";
import { usageQueries } from "./queries/usage.ts";
import { userQueries } from "./queries/users.ts";
import type { Customer } from "./schema/customer.ts";
import type { SecretKeys } from "./secrets/secret-keys.ts";
import { createVault } from "./secrets/vault.ts";

/** One database with every tenant in it. */
export interface Store {
  /** People, tenants and tokens across tenants: what finding out who calls takes. */
  accounts: AccountQueries;
  /** Deliveries still to be made, of all tenants. */
  backlog: BacklogQueries;
  /** Facts about the whole store. */
  metadata: MetadataQueries;
  /** In which form the secrets of webhooks are kept. */
  secretForms: SecretFormQueries;
  /** Runs `work` on one consistent state of a tenant; it cannot write. */
  read<T>(scope: Scope, work: (tenant: TenantStore) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one transaction, as if alone among writers; keeps nothing of it when it throws. The store may run
   * `work` again after a conflict with other writers, so `work` must not change anything outside of the store. With "rows"
   * it is alone only on the rows that it reads in order to change them.
   */
  write<T>(scope: Scope, work: (tenant: TenantStore) => Promise<T>, locks?: WriteLocks): Promise<T>;
  /**
   * The same without waiting for the disk. If the machine (not only the program) fails within the next second, the
   * transaction may be lost, so this is for work that would simply be done again.
   */
  writeRelaxed<T>(scope: Scope, work: (tenant: TenantStore) => Promise<T>): Promise<T>;
  /** Gives statements that each commit as `writeRelaxed` does: for work that waits for the network between them. */
  direct(scope: Scope): TenantStore;
  /**
   * Another number after each commit of anybody that wrote rows of the tenant, or of what tenants share: tenants, people,
   * tokens, haulers, metadata. null on a database that would have to be asked.
   */
  revision(tenantId: number): number | null;
  /**
   * The same for what tenants share alone. On PostgreSQL it tells what this process wrote at once, and within a second what
   * other servers did (OP-167).
   */
  sharedRevision(): number | null;
  /** Throws why the store cannot be used; gives warnings for its operator. */
  check(): Promise<readonly string[]>;
  /** Writes something to the disk that changes no record, and reads where that tells something. Throws why it cannot. */
  probe(): Promise<void>;
  /** Why the store cannot be relied on, as far as is known without asking it; null while nothing is. */
  fault(): StoreFault | null;
  /** Calls `listener` when something goes wrong or well again, with what is left. */
  onFault(listener: (fault: StoreFault | null) => void): void;
  /** The file that another thread of this process can open as well; null when there is none (`OpenDatabase`). */
  sharedFile(): SharedFile | null;
  close(): Promise<void>;
}

/** A tenant's records as one caller may see and change them. */
export type TenantStore = { readonly [Name in keyof typeof members]: ReturnType<(typeof members)[Name]> };

/**
 * Makes the store of an open database. `close` closes the database and whatever else was opened with it; `keys` open the
 * secrets of webhooks where they are encrypted.
 */
export function createStore(
  database: OpenDatabase,
  close: () => Promise<void>,
  keys: SecretKeys = [],
): Store {
  const toTenantStore = (rows: TenantRows, scope: Scope, memories: Memories) =>
    bindTenantStore(rows, scope, memories, keys);
  const cache = new RevisionCache<number, Customer>(customersInMemoryMax);
  const shared = toSharedMemory(cache);
  const noMemories = { counts: noCountMemory, embeds: noEmbedMemory };
  const passing: Memories = { ...noMemories, customers: toPassingMemory(cache) };
  // A customer that a writer has read is worth keeping: without it the next POST of a job takes three queries more.
  const writeWith = async <T>(
    write: OpenDatabase["write"],
    { tenantId, rowScopes }: Scope,
    work: Work<T>,
    locks?: WriteLocks,
  ) => {
    let publish = () => {};
    const run = (rows: TenantRows) => {
      // Made for each run: what an attempt has read that did not commit is nobody's.
      const customers = createTransactionMemory(cache);
      publish = customers.publish;
      return work(toTenantStore(rows, { tenantId, rowScopes }, { ...noMemories, customers }));
    };
    const result = await write(tenantId, run, locks);
    publish();
    return result;
  };
  const countMemories = createCountMemories();
  const embedMemories = createEmbedMemories();
  return {
    accounts: accountQueries(database.db),
    backlog: backlogQueries(database.db, keys),
    metadata: metadataQueries(database.db),
    secretForms: secretFormQueries(database.db),
    read: ({ tenantId, rowScopes }, work) => {
      // Before the read begins: what it sees is at least as new.
      const revision = database.revision(tenantId);
      const readRevision = () => database.revision(tenantId);
      const memories = {
        counts: countMemories.at(revision, readRevision),
        customers: shared,
        embeds: embedMemories.at(tenantId, revision, readRevision),
      };
      return database.read(tenantId, (rows) => work(toTenantStore(rows, { tenantId, rowScopes }, memories)));
    },
    write: (scope, work, locks) => writeWith(database.write, scope, work, locks),
    writeRelaxed: (scope, work) => writeWith(database.writeRelaxed, scope, work),
    direct: (scope) => toTenantStore(database.direct(scope.tenantId), scope, passing),
    revision: (tenantId) => database.revision(tenantId),
    sharedRevision: () => database.sharedRevision(),
    check: () => database.check(),
    probe: () => database.probe(),
    fault: () => database.fault(),
    onFault: (listener) => database.onFault(listener),
    sharedFile: () => database.sharedFile(),
    close,
  };
}

type Work<T> = (tenant: TenantStore) => Promise<T>;

/** A customer takes about 3 KB, with the texts that are made of it. */
const customersInMemoryMax = 5000;

interface Parts {
  access: TenantAccess;
  caused: CausedDeliveries;
  keys: SecretKeys;
  rows: TenantRows;
}

function bindTenantStore(
  rows: TenantRows,
  { tenantId, rowScopes }: Scope,
  memories: Memories,
  keys: SecretKeys,
): TenantStore {
  const access = bindToTenant(rows, tenantId, rowScopes, memories);
  // `members` adds to its prototype what TenantStore lists.
  return new LazyTenantStore({
    access,
    caused: { firstEventId: null },
    keys,
    rows,
  }) as unknown as TenantStore;
}

const toVault = ({ keys, rows }: Parts) => createVault(keys, metadataQueries(rows.all));

/** The queries of each part of a tenant's store. */
const members = {
  accounts: ({ rows }: Parts) => accountQueries(rows.all),
  backlog: ({ keys, rows }: Parts) => backlogQueries(rows.all, keys),
  chats: ({ access }: Parts) => chatQueries(access),
  audit: ({ access }: Parts) => auditQueries(access),
  customers: ({ access }: Parts) => customerQueries(access),
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
  pruning: ({ access }: Parts) => pruneQueries(access),
  references: ({ access }: Parts) => referenceQueries(access),
  statistics: ({ access }: Parts) => statisticsQueries(access),
  tenant: ({ access, rows }: Parts) => tenantQueries(rows.own, access.tenantId),
  tokens: ({ access }: Parts) => tokenQueries(access),
  tokenLineage: ({ rows }: Parts) => tokenLineageQueries(rows),
  trucks: ({ access }: Parts) => truckQueries(access),
  usage: ({ access }: Parts) => usageQueries(access),
  users: ({ access }: Parts) => userQueries(access),
};

/** Makes each member when it is first asked for: to make all took a tenth of the time of reading one job. */
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
