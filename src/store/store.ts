import { createMemories, type Memories } from "./access/memories.ts";
import type { Scope } from "./access/row-scopes.ts";
import type { DatabaseState, OpenDatabase, TenantRows, WriteLocks } from "./api.ts";
import { type AccountQueries, accountQueries } from "./queries/accounts.ts";
import { type BacklogQueries, backlogQueries } from "./queries/backlog.ts";
import { type MetadataQueries, metadataQueries } from "./queries/metadata.ts";
import { type HousekeepingQueries, housekeepingQueries } from "./queries/retention.ts";
import { type SecretFormQueries, secretFormQueries } from "./queries/secret-forms.ts";
import type { SecretKeys } from "./secrets/secret-keys.ts";
import { bindTenantStore, type TenantStore } from "./tenant-store.ts";

export interface Store {
  database: DatabaseState;
  accounts: AccountQueries;
  backlog: BacklogQueries;
  housekeeping: HousekeepingQueries;
  metadata: MetadataQueries;
  secretForms: SecretFormQueries;
  read<T>(scope: Scope, work: (tenant: TenantStore) => Promise<T>): Promise<T>;
  /** Serializable. After a conflict `work` runs again, so it must not change anything else. */
  write<T>(scope: Scope, work: (tenant: TenantStore) => Promise<T>, locks?: WriteLocks): Promise<T>;
  /** Does not wait for the disk. A failing machine may lose the change: only for repeatable work. */
  writeRelaxed<T>(scope: Scope, work: (tenant: TenantStore) => Promise<T>): Promise<T>;
  /** Each statement is a relaxed commit of its own. For work that waits for the network in between. */
  direct(scope: Scope): TenantStore;
  close(): Promise<void>;
}

/** `close` closes the database and everything opened with it. `keys` open the encrypted secrets of webhooks. */
export function createStore(
  database: OpenDatabase,
  close: () => Promise<void>,
  keys: SecretKeys = [],
): Store {
  const toTenantStore = (rows: TenantRows, scope: Scope, memories: Memories) =>
    bindTenantStore(rows, scope, memories, keys);
  const memories = createMemories();
  // Shares the customers that a writer has read: otherwise the next POST of a job takes three more queries.
  const writeWith = async <T>(
    write: OpenDatabase["write"],
    { tenantId, rowScopes }: Scope,
    work: Work<T>,
    locks?: WriteLocks,
  ) => {
    let publish = () => {};
    const run = (rows: TenantRows) => {
      // Created for each run: data of an uncommitted attempt must not be shared.
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
      // Before the read begins, so that the read is at least as new.
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
