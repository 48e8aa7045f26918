import { randomUUID } from "node:crypto";
import { failure } from "../../errors/errors.ts";
import type { Environment } from "../../runtime/environment.ts";
import { parsePostgresAddress, toShownStore, withSchema } from "./address.ts";
import { stateOf } from "./errors.ts";
import { PostgresPool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import { lockSchema, readRows } from "./schema.ts";

/** Builds the store in a temporary schema and then moves it, so an interrupted run leaves nothing. */
export async function makeInDraft<T>(
  data: string,
  env: Environment | undefined,
  make: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = `dispatch_new_${randomUUID().slice(0, 8)}`;
  const pool = new PostgresPool(parsePostgresAddress(data, env));
  try {
    const result = await make(withSchema(data, draft));
    await useConnection(pool, (connection) => moveStore(connection, pool, draft));
    return result;
  } catch (error) {
    if (stateOf(error) === "42P07")
      throw failure(
        "store_exists",
        `${toShownStore(data)} already has tables of a store; nothing was changed.`,
        null,
        error,
      );
    throw error;
  } finally {
    await useConnection(pool, (connection) =>
      connection.commandWithoutTimeout(`drop schema if exists ${draft} cascade`),
    ).catch(() => undefined);
    await pool.end();
  }
}

async function useConnection<T>(
  pool: PostgresPool,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire();
  try {
    return await work(connection);
  } finally {
    connection.release();
  }
}

async function moveStore(connection: PooledConnection, pool: PostgresPool, draft: string): Promise<void> {
  await connection.begin("begin");
  try {
    await lockSchema(connection, pool);
    const target = await makeTarget(connection, pool);
    const tables = await readRows<{ name: string }>(
      connection,
      `select quote_ident(tablename) as name from pg_tables where schemaname = '${draft}'`,
    );
    for (const { name } of tables)
      await connection.command(`alter table ${draft}.${name} set schema ${target}`);
    // The draft schema's end would delete functions that remain in it, and their triggers.
    const functions = await readRows<{ signature: string }>(
      connection,
      `select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = '${draft}'`,
    );
    for (const { signature } of functions)
      await connection.command(`alter function ${signature} set schema ${target}`);
    await connection.commit();
    // So far, the planner has only statistics of empty tables.
    for (const { name } of tables) await connection.commandWithoutTimeout(`analyze ${target}.${name}`);
  } catch (error) {
    await connection.rollBack();
    throw error;
  }
}

async function makeTarget(connection: PooledConnection, { address }: PostgresPool): Promise<string> {
  if (address.schema !== null) {
    await connection.command(`create schema if not exists ${address.schema}`);
    return address.schema;
  }
  const rows = await readRows<{ name: string | null }>(
    connection,
    "select quote_ident(current_schema()) as name",
  );
  const name = rows[0]?.name;
  if (name) return name;
  throw failure("store_unreadable", `${address.shown} has no schema of the search path.`);
}
