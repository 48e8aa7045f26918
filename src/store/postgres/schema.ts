import { CompiledQuery } from "kysely";
import { DispatchError, failure } from "../../errors/errors.ts";
import { migrations, newestSchema } from "../migrations/index.ts";
import { stateOf } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";

/** The advisory lock of programs that change the tables of a store in this database ("dspc"). */
const migrationLock = 0x64737063;

/**
 * Migrates the store's tables. When several programs start at once, one of them does it; the others wait and find it
 * done. `create` makes missing tables. Throws store_not_found or store_unreadable.
 */
export async function prepareSchema(pool: PostgresPool, create: boolean): Promise<void> {
  const connection = await pool.acquire();
  try {
    const found = await findSchema(connection, pool);
    if (found === null && !create) throw noStore(pool);
    if (found === newestSchema) return;
    await connection.begin("begin");
    try {
      await migrate(connection, pool);
      await connection.commit();
    } catch (error) {
      await connection.rollBack();
      throw stateOf(error) === "42P07" ? foreignTables(pool, error) : error;
    }
  } catch (error) {
    throw pool.toStoreError(error);
  } finally {
    connection.release();
  }
}

async function migrate(connection: PooledConnection, pool: PostgresPool): Promise<void> {
  await lockSchemas(connection);
  // Asked first: a user who may not create schemas may have been given one.
  const { schema } = pool.address;
  const here = await readRows<{ schema: string | null }>(connection, "select current_schema() as schema");
  if (schema !== null && here[0]?.schema === null)
    await connection.command(`create schema if not exists ${schema}`);
  const found = (await findSchema(connection, pool)) ?? 0;
  if (found === newestSchema) return;
  for (const { postgres } of migrations.slice(found))
    if (postgres !== undefined) await connection.commandWithoutTimeout(postgres);
  await connection.command(
    `insert into meta (key, value) values ('schema', '${newestSchema}') on conflict (key) do update set value = excluded.value`,
  );
}

/** Waits until this transaction is the only one that makes or changes tables of a store in this database. */
export async function lockSchemas(connection: PooledConnection): Promise<void> {
  await connection.commandWithoutTimeout(`select pg_advisory_xact_lock(${migrationLock})`);
}

/** Runs a query of our own that takes no parameters. */
export async function readRows<Row>(connection: PooledConnection, text: string): Promise<Row[]> {
  return (await connection.run(CompiledQuery.raw(text))).rows as Row[];
}

/** The schema number of a store, which may be newer than this program. Throws store_not_found or store_unreadable. */
export async function readSchema(pool: PostgresPool): Promise<number> {
  const connection = await pool.acquire();
  try {
    const schema = await findAnySchema(connection, pool);
    if (schema === null) throw noStore(pool);
    return schema;
  } catch (error) {
    throw pool.toStoreError(error);
  } finally {
    connection.release();
  }
}

function noStore(pool: PostgresPool) {
  const detail = `There is no store in ${pool.address.shown}.`;
  return new DispatchError([{ code: "store_not_found", detail, field: null, see: { command: "init" } }]);
}

/** The store's schema number; null when there is no store. Throws for foreign tables and for a newer store. */
async function findSchema(connection: PooledConnection, pool: PostgresPool): Promise<number | null> {
  const found = await findAnySchema(connection, pool);
  if (found === null || found <= newestSchema) return found;
  throw failure(
    "store_unreadable",
    `${pool.address.shown} has schema ${found}; this program knows ${newestSchema}. Use a newer dispatch-cli.`,
  );
}

async function findAnySchema(connection: PooledConnection, pool: PostgresPool): Promise<number | null> {
  // Read from the catalogue's tables: to_regclass may still miss tables that another program has just made.
  const tables = await readRows<{ name: string }>(
    connection,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relname in ('meta', ${storeTables.map((name) => `'${name}'`).join(", ")}) and n.nspname = current_schema()`,
  );
  const names = tables.map(({ name }) => name);
  if (!names.includes("meta")) {
    if (storeTables.every((name) => names.includes(name))) throw lostTable(pool);
    return null;
  }
  const kept = await readRows<{ value: string }>(
    connection,
    "select value from meta where key = 'schema'",
  ).catch((error: unknown) => {
    throw ["42703", "42501"].includes(stateOf(error)) ? foreignTables(pool, error) : error;
  });
  const found = Number(kept[0]?.value);
  if (!Number.isSafeInteger(found)) throw foreignTables(pool);
  return found;
}

/** Tables by which a store is known that has lost its table of metadata. */
const storeTables = ["deliveries", "hooks", "jobs", "locations"];

function lostTable(pool: PostgresPool) {
  return failure("store_unreadable", `The store in ${pool.address.shown} has lost its table meta.`);
}

function foreignTables(pool: PostgresPool, cause?: unknown) {
  const text = `${pool.address.shown} holds tables of another program. Name an empty schema with ?schema=….`;
  return failure("store_unreadable", text, null, cause);
}
