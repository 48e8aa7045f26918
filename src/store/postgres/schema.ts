import { setTimeout } from "node:timers/promises";
import { CompiledQuery, type Kysely, sql } from "kysely";
import { DispatchError, failure } from "../../errors/errors.ts";
import { oldestProgramKey } from "../metadata-keys.ts";
import { migrations, newestSchema } from "../migrations/index.ts";
import { type StoreSchema, suitsThisProgram, toOldestProgram, toTooNew } from "../migrations/schema-fit.ts";
import type { Database } from "../schema/database.ts";
import { stateOf } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import { unnoticedMsMax } from "./schema-guard.ts";
import { toLockKey } from "./session-settings.ts";

const migrationLock = 0x64737063n;

/** Other users' statements queue behind a waiting migration, so it gives up after this time and tries again. */
const lockTimeoutMs = 3000;
const lockTriesMax = 10;
const lockPauseMs = 1000;

/** Concurrent programs wait for the one that migrates. Throws store_not_found, store_unreadable, store_unavailable. */
export async function prepareSchema(pool: PostgresPool, create: boolean): Promise<void> {
  const connection = await pool.acquire();
  try {
    const found = await findSchema(connection, pool);
    if (found === null && !create) throw noStore(pool);
    if (found !== null && found.schema >= newestSchema) return;
    const putBack = found && (await shutOutOlder(connection, found));
    await migrateWithPatience(connection, pool).catch(async (error: unknown) => {
      await putBack?.();
      throw stateOf(error) === "42P07" ? foreignTables(pool, error) : error;
    });
  } catch (error) {
    throw pool.toStoreError(error);
  } finally {
    connection.release();
  }
}

/** Waits until all older programs have noticed. Returns a function that lets them work again, or null. */
async function shutOutOlder(
  connection: PooledConnection,
  { oldestProgram }: StoreSchema,
): Promise<(() => Promise<unknown>) | null> {
  const needed = toOldestProgram(migrations);
  if (needed <= oldestProgram) return null;
  await connection.command(toKeep(oldestProgramKey, needed));
  await setTimeout(unnoticedMsMax * 1.5);
  return () => connection.command(toKeep(oldestProgramKey, oldestProgram)).catch(() => undefined);
}

async function migrateWithPatience(connection: PooledConnection, pool: PostgresPool): Promise<void> {
  for (let tries = 1; ; tries++) {
    await connection.begin("begin");
    try {
      await migrate(connection, pool);
      await connection.commit();
      return;
    } catch (error) {
      await connection.rollBack();
      if (stateOf(error) !== "55P03" || tries === lockTriesMax) throw error;
    }
    await setTimeout(lockPauseMs);
  }
}

async function migrate(connection: PooledConnection, pool: PostgresPool): Promise<void> {
  await lockSchema(connection, pool);
  await connection.command(`set local lock_timeout = ${lockTimeoutMs}`);
  // Checked first: a user without the right to create schemas may have got one.
  const { schema } = pool.address;
  const here = await readRows<{ schema: string | null }>(connection, "select current_schema() as schema");
  if (schema !== null && here[0]?.schema === null)
    await connection.command(`create schema if not exists ${schema}`);
  const found = (await findSchema(connection, pool))?.schema ?? 0;
  if (found >= newestSchema) return;
  for (const { postgres } of migrations.slice(found))
    if (postgres !== undefined) await connection.commandWithoutTimeout(postgres);
  await connection.command(
    `${toKeep("schema", newestSchema)}; ${toKeep(oldestProgramKey, toOldestProgram(migrations))}`,
  );
}

const toKeep = (key: string, value: number) =>
  `insert into meta (key, value) values ('${key}', '${value}') on conflict (key) do update set value = excluded.value`;

/** Waits until no other transaction creates or changes the schema's tables. */
export async function lockSchema(connection: PooledConnection, { address }: PostgresPool): Promise<void> {
  // The schema of the address may not exist yet, so it is not the current one.
  const schema = address.schema === null ? undefined : `'${address.schema}'`;
  await connection.commandWithoutTimeout(`select pg_advisory_xact_lock(${toLockKey(migrationLock, schema)})`);
}

export async function readRows<Row>(connection: PooledConnection, text: string): Promise<Row[]> {
  return (await connection.run(CompiledQuery.raw(text))).rows as Row[];
}

/** The store may be newer than this program. Throws store_not_found or store_unreadable. */
export async function readSchema(pool: PostgresPool): Promise<StoreSchema> {
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

async function findSchema(connection: PooledConnection, pool: PostgresPool): Promise<StoreSchema | null> {
  const found = await findAnySchema(connection, pool);
  if (found === null || suitsThisProgram(found)) return found;
  throw failure("store_unreadable", toTooNew(pool.address.shown, found));
}

async function findAnySchema(connection: PooledConnection, pool: PostgresPool): Promise<StoreSchema | null> {
  // Reads the catalog: to_regclass may miss tables that another program has just created.
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
  const kept = await readRows<{ key: string; value: string }>(
    connection,
    `select key, value from meta where key in ('schema', '${oldestProgramKey}')`,
  ).catch((error: unknown) => {
    throw ["42703", "42501"].includes(stateOf(error)) ? foreignTables(pool, error) : error;
  });
  const { schema = Number.NaN, [oldestProgramKey]: oldestProgram = schema } = Object.fromEntries(
    kept.map(({ key, value }) => [key, Number(value)]),
  );
  if (!Number.isSafeInteger(schema)) throw foreignTables(pool);
  return { schema, oldestProgram };
}

/** Tables that identify a store that lacks `meta`. */
const storeTables = ["deliveries", "hooks", "jobs", "locations"];

function lostTable(pool: PostgresPool) {
  return failure("store_unreadable", `The store in ${pool.address.shown} is missing its table meta.`);
}

function foreignTables(pool: PostgresPool, cause?: unknown) {
  const text = `${pool.address.shown} holds tables of another program. Use an empty schema with ?schema=….`;
  return failure("store_unreadable", text, null, cause);
}

export async function readSequences(db: Kysely<Database>): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ name: string; last: number | null }>`
    select relname as name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(relname), 'id')::regclass) as last
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and attname = 'id' and attidentity <> ''`.execute(db);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last ?? 0]));
}

export async function raiseSequences(
  db: Kysely<Database>,
  last: Readonly<Record<string, number>>,
): Promise<void> {
  const known = await readSequences(db);
  for (const [name, id] of Object.entries(last)) {
    if (id <= (known[name] ?? Number.POSITIVE_INFINITY)) continue;
    await sql`select setval(pg_get_serial_sequence(quote_ident(${name}), 'id'), ${id})`.execute(db);
  }
}
