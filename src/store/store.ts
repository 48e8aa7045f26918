import { createMemories, type Memories } from "./access/memories.ts";
import type { Scope } from "./access/row-scopes.ts";
import type { DatabaseState, OpenDatabase, TenantRows, WriteLocks } from "./api.ts";
import { type AccountQueries, accountQueries } from "./queries/accounts.ts";
import { type BacklogQueries, backlogQueries } from "./queries/backlog.ts";
import { type HousekeepingQueries, housekeepingQueries } from "./queries/housekeeping.ts";
import { type MetadataQueries, metadataQueries } from "./queries/metadata.ts";
import { type SecretFormQueries, secretFormQueries } from "./queries/secret-forms.ts";
import type { SecretKeys } from "./secrets/secret-keys.ts";
import { bindTenantStore, type TenantStore } from "./tenant-store.ts";

/** One database with every tenant in it. */
export interface Store {
  /** The database of the store, as far as it concerns no rows. */
  database: DatabaseState;
  /** People, tenants and tokens across tenants: what finding out who calls takes. */
  accounts: AccountQueries;
  /** Deliveries still to be made, of all tenants. */
  backlog: BacklogQueries;
  /** What is to be removed, of all tenants. */
  housekeeping: HousekeepingQueries;
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
  close(): Promise<void>;
}

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
  const memories = createMemories();
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
      const own = memories.forWriter();
      publish = own.publish;
      return work(toTenantStore(rows, { tenantId, rowScopes }, own));
    };
    const result = await write(tenantId, run, locks);
    publish();
    return result;
  };
  return {
    database,
    accounts: accountQueries(database.db),
    backlog: backlogQueries(database.db, keys),
    housekeeping: housekeepingQueries(database.db),
    metadata: metadataQueries(database.db),
    secretForms: secretFormQueries(database.db),
    read: ({ tenantId, rowScopes }, work) => {
      // Before the read begins: what it sees is at least as new.
      const revision = database.revision(tenantId);
      const own = memories.forReader(tenantId, revision, () => database.revision(tenantId, true));
      return database.read(tenantId, (rows) => work(toTenantStore(rows, { tenantId, rowScopes }, own)));
    },
    write: (scope, work, locks) => writeWith(database.write, scope, work, locks),
    writeRelaxed: (scope, work) => writeWith(database.writeRelaxed, scope, work),
    direct: (scope) => toTenantStore(database.direct(scope.tenantId), scope, memories.passing),
    close,
  };
}

type Work<T> = (tenant: TenantStore) => Promise<T>;
