import { sql } from "kysely";
import { createStoreWaits, type StoreWaits } from "../activity.ts";
import type { OpenDatabase, TenantRows } from "../api.ts";
import { Condition } from "../condition.ts";
import { parsePostgresAddress } from "./address.ts";
import type { PostgresDefinitions } from "./definitions.ts";
import { toKysely } from "./dialect.ts";
import { isOfOthers } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import { SharedRevision } from "./shared-revision.ts";

/**
 * Opens a store in a PostgreSQL database. It reads the address at once; with the first query it connects and migrates the
 * tables, and when that fails, the next query tries again. Throws a usage error for the address; queries throw
 * store_not_found, store_unreadable and store_unavailable.
 */
export function openPostgres(data: string, { create = false }: { create?: boolean } = {}): OpenDatabase {
  const address = parsePostgresAddress(data);
  const waits = createStoreWaits();
  let opening: Promise<PostgresPool> | undefined;
  let opened: PostgresPool | undefined;
  const open = () => {
    opening ??= openPool(data, create, { shared, waits })
      .then(keep)
      .catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
    return opening;
  };
  const keep = (pool: PostgresPool) => {
    opened = pool;
    return pool;
  };
  const shared = new SharedRevision();
  const condition = new Condition(isOfOthers);
  const db = toKysely(async () => (await open()).acquire());
  // Imported when needed: commands on a file load none of it.
  const transactions = () => import("./transactions.ts");
  return {
    db,
    // To ask would take a round trip, as long as most queries.
    revision: () => null,
    sharedRevision: () => shared.current(),
    direct: (tenantId) => {
      const statements = async () => (await transactions()).toTenantConnection(await open(), tenantId);
      const own = toKysely(statements);
      const last: TenantRows["last"] = async (query, take) => take((await own.executeQuery(query)).rows);
      return { own, all: db, locksRows: true, combinesInserts: true, keepsCounts: false, last };
    },
    read: async (tenantId, work) => (await transactions()).readTenantRows(await open(), tenantId, work),
    readAll: async (work) => (await transactions()).readAllRows(await open(), work),
    write: (tenantId, work, locks) => {
      const write = async () => (await transactions()).writeTenant(await open(), tenantId, work, locks);
      return condition.noteWrite(write());
    },
    writeRelaxed: (tenantId, work) => {
      const write = async () => (await transactions()).writeTenantRelaxed(await open(), tenantId, work);
      return condition.noteWrite(write());
    },
    waitForWriters: async (tenantId) =>
      (await transactions()).writeTenant(await open(), tenantId, async () => undefined),
    check: async () => {
      await open();
      await sql`select id from tenants limit 1`.execute(db);
      const { rows } = await sql<{ passes: boolean }>`
        select rolsuper or rolbypassrls as passes from pg_roles where rolname = current_user`.execute(db);
      return rows[0]?.passes ? [wallIsDown(address.shown)] : [];
    },
    probe: () => condition.noteWrite(writeMark(db)),
    fault: () => condition.fault,
    onFault: (listener) => condition.onChange(listener),
    activity: () =>
      opened?.activity() ?? {
        connections: { used: 0, idle: 0, waiting: 0 },
        connectionsMax: address.poolMax,
        writersWaiting: 0,
        waits,
      },
    // PostgreSQL works on several statements at once.
    sharedFile: () => null,
    image: async () => null,
    sequences: async () => (await import("./sequences.ts")).readSequences(db),
    raiseSequences: async (last) => (await import("./sequences.ts")).raiseSequences(db, last),
    close: async () => {
      await (await opening?.catch(() => undefined))?.end();
    },
  };
}

/** The last migration of a database's tables; changes nothing. Throws store_not_found and store_unreadable. */
export async function readPostgresSchema(data: string): Promise<number> {
  const { PostgresPool } = await import("./pool.ts");
  const { readSchema } = await import("./schema.ts");
  const pool = new PostgresPool(parsePostgresAddress(data));
  return readSchema(pool).finally(() => pool.end());
}

/** What a database's tables are like, and what they should be like; changes nothing. Throws store_unavailable. */
export async function readDefinitionsOfPostgres(data: string): Promise<PostgresDefinitions> {
  const { readPostgresDefinitions } = await import("./definitions.ts");
  return withConnection(data, readPostgresDefinitions);
}

/** Works on a connection of its own, outside of what the store's queries allow. Throws store_unavailable. */
export async function withConnection<T>(
  data: string,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const { PostgresPool } = await import("./pool.ts");
  const pool = new PostgresPool(parsePostgresAddress(data));
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
  data: string,
  create: boolean,
  { shared, waits }: { shared: SharedRevision; waits: StoreWaits },
): Promise<PostgresPool> {
  const { PostgresPool } = await import("./pool.ts");
  const { prepareSchema } = await import("./schema.ts");
  const pool = new PostgresPool(parsePostgresAddress(data), shared, waits);
  try {
    await prepareSchema(pool, create);
  } catch (error) {
    await pool.end();
    throw error;
  }
  pool.markReached();
  return pool;
}

/**
 * Writes a message into the log of the server that nobody reads: it waits for the disk as every commit does, and leaves no
 * row behind. The update of no row finds out that the database is read-only or does not let the user write; the pool then
 * drops the connection, as after any such refusal.
 */
async function writeMark(db: OpenDatabase["db"]): Promise<void> {
  await sql`with refused as (update meta set value = value where key = '' returning key)
    select pg_logical_emit_message(true, 'dispatch-cli', '') from (select count(*) from refused) as none`.execute(
    db,
  );
}

function wallIsDown(shown: string): string {
  return `The user of ${shown} is a superuser or may bypass row-level security, which then does not stand between the tenants. Use one that is neither.`;
}
