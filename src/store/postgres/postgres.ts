import { sql } from "kysely";
import type { Environment } from "../../runtime/environment.ts";
import type { OpenDatabase, OpenOptions, TenantRows } from "../api.ts";
import { createStoreWaits, type StoreWaits } from "../api.ts";
import { Condition } from "../condition.ts";
import { toKysely } from "../kysely.ts";
import type { StoreSchema } from "../migrations/schema-fit.ts";
import { type PostgresAddress, parsePostgresAddress } from "./address.ts";
import type { PostgresDefinitions } from "./definitions.ts";
import { isOfOthers } from "./errors.ts";
import { PostgresHints } from "./hints.ts";
import type { PostgresPool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import { postgresLanguage, SharedRevision } from "./pooled-connection.ts";
import { SchemaGuard } from "./schema-guard.ts";
import { noteStandby } from "./standby.ts";

/** The first query connects and migrates; if that fails, the next query tries again. Throws a usage error. */
export function openPostgres(
  data: string,
  { create = false, env }: Pick<OpenOptions, "create" | "env"> = {},
): OpenDatabase {
  const address = parsePostgresAddress(data, env);
  const waits = createStoreWaits();
  const pools = openOnce(() => openPool(address, create, { shared, waits }));
  const { open } = pools;
  const hints = new PostgresHints(open);
  const shared = new SharedRevision(() => hints.give("shared"));
  hints.onHint((hint) => hint === "shared" && shared.noteOthers());
  const condition = new Condition(isOfOthers);
  let lagMs: number | null = null;
  const guard = new SchemaGuard(condition, async () =>
    (await import("./schema.ts")).readSchema(await open()),
  );
  const openForWork = async (tenantId: number) => {
    // Tenant 0 means a heartbeat, once a second: an idle server skips the check.
    if (tenantId !== 0) await guard.pass();
    return open();
  };
  const db = toKysely(postgresLanguage, async () => (await open()).acquire());
  // Imported on demand: commands on a file do not load it.
  const transactions = () => import("./transactions.ts");
  return {
    db,
    // Reading a revision would cost a round trip, as long as most queries take.
    revision: () => null,
    sharedRevision: () => shared.current(),
    hints,
    direct: (tenantId) => {
      const statements = async () =>
        (await transactions()).toTenantConnection(await openForWork(tenantId), tenantId);
      const own = toKysely(postgresLanguage, statements);
      const last: TenantRows["last"] = async (query, take) => take((await own.executeQuery(query)).rows);
      return { own, all: db, locksRows: true, combinesInserts: true, keepsCounts: false, last };
    },
    read: async (tenantId, work) =>
      (await transactions()).readTenantRows(await openForWork(tenantId), tenantId, work),
    readAll: async (work) => {
      await guard.pass();
      return (await transactions()).readAllRows(await open(), work);
    },
    write: (tenantId, work, locks) => {
      const write = async () =>
        (await transactions()).writeTenant(await openForWork(tenantId), tenantId, work, locks);
      return condition.noteWrite(write());
    },
    writeRelaxed: (tenantId, work) => {
      const write = async () =>
        (await transactions()).writeTenantRelaxed(await openForWork(tenantId), tenantId, work);
      return condition.noteWrite(write());
    },
    waitForWriters: async (tenantId) =>
      (await transactions()).writeTenant(await open(), tenantId, async () => undefined),
    databaseMs: () => readClock(db),
    check: async () => {
      await open();
      await guard.look();
      await probeTables(db);
      lagMs = await noteStandby(db, condition);
      const notes = await (await import("./wall.ts")).noteWall(db, condition, address.requiresWall);
      return (await (await open()).findMode()) === "session" ? notes : [...notes, pollsNote];
    },
    // Each refused write would cost a standby a connection.
    probe: async () => (lagMs === null ? condition.noteWrite(writeMark(db)) : undefined),
    standbyLagMs: () => lagMs,
    fault: () => condition.fault,
    onFault: (listener) => condition.onChange(listener),
    activity: () => pools.opened()?.activity() ?? toIdle(address.poolMax, waits),
    // Needless: PostgreSQL runs several statements at once.
    sharedFile: () => null,
    image: async () => null,
    sequences: async () => (await import("./schema.ts")).readSequences(db),
    raiseSequences: async (last) => (await import("./schema.ts")).raiseSequences(db, last),
    close: async () => {
      await hints.close();
      await pools.end();
    },
  };
}

async function readClock(db: OpenDatabase["db"]): Promise<number | null> {
  const asked = sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  return (await asked.execute(db)).rows[0]?.ms ?? null;
}

/** Each request reads a token and its user, and most read jobs. A lock on these tables would block requests. */
async function probeTables(db: OpenDatabase["db"]): Promise<void> {
  const ofTenants = ["users", "customers", "addresses", "jobs"].map(
    (table) => sql`(select id from ${sql.table(table)} where tenant_id = 0 and id = 0)`,
  );
  await sql`select (select id from tenants limit 1), (select id from tokens where id = 0), ${sql.join(ofTenants)}`.execute(
    db,
  );
}

const pollsNote =
  "The database is behind a pooler in transaction mode, so this server cannot LISTEN. It polls once a second for changes by other processes.";

/** If the first `open` fails, the next call tries again. */
function openOnce(openPool: () => Promise<PostgresPool>) {
  let opening: Promise<PostgresPool> | undefined;
  let opened: PostgresPool | undefined;
  return {
    open: () => {
      opening ??= openPool().then(
        (pool) => (opened = pool),
        (error: unknown) => {
          opening = undefined;
          throw error;
        },
      );
      return opening;
    },
    opened: () => opened,
    end: async () => (await opening?.catch(() => undefined))?.end(),
  };
}

function toIdle(connectionsMax: number, waits: StoreWaits) {
  return { connections: { used: 0, idle: 0, waiting: 0 }, connectionsMax, writersWaiting: 0, waits };
}

export async function readPostgresSchema(data: string, env?: Environment): Promise<StoreSchema> {
  const { PostgresPool } = await import("./pool.ts");
  const { readSchema } = await import("./schema.ts");
  const pool = new PostgresPool(parsePostgresAddress(data, env));
  return readSchema(pool).finally(() => pool.end());
}

export async function readDefinitionsOfPostgres(
  data: string,
  env?: Environment,
): Promise<PostgresDefinitions> {
  const { readPostgresDefinitions } = await import("./definitions.ts");
  return withConnection(data, env, readPostgresDefinitions);
}

/** Runs `work` on its own connection without the limits of the store's queries. Throws store_unavailable. */
export async function withConnection<T>(
  data: string,
  env: Environment | undefined,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const { PostgresPool } = await import("./pool.ts");
  const pool = new PostgresPool(parsePostgresAddress(data, env));
  try {
    const connection = await pool.acquire();
    return await work(connection).finally(() => connection.release());
  } catch (error) {
    throw pool.toStoreError(error);
  } finally {
    await pool.end();
  }
}

async function openPool(
  address: PostgresAddress,
  create: boolean,
  { shared, waits }: { shared: SharedRevision; waits: StoreWaits },
): Promise<PostgresPool> {
  const { PostgresPool } = await import("./pool.ts");
  const { prepareSchema } = await import("./schema.ts");
  const pool = new PostgresPool(address, shared, waits);
  try {
    await prepareSchema(pool, create);
  } catch (error) {
    await pool.end();
    throw error;
  }
  pool.markReached();
  return pool;
}

/** A server message waits for the disk like a commit. An update of no row detects a read-only database. */
async function writeMark(db: OpenDatabase["db"]): Promise<void> {
  await sql`with refused as (update meta set value = value where key = '' returning key)
    select pg_logical_emit_message(true, 'dispatch-cli', '') from (select count(*) from refused) as none`.execute(
    db,
  );
}
