import { setTimeout } from "node:timers/promises";
import type { CompiledQuery } from "kysely";
import { failure } from "../../errors/errors.ts";
import type { TenantRows } from "../api.ts";
import { type StatementConnection, toKyselyOn } from "./dialect.ts";
import { stateOf } from "./errors.ts";
import { isStalePlan, type PooledConnection, type PostgresPool } from "./pool.ts";

/** Runs `work` on one consistent state of a tenant; it waits for no writer, and none for it. */
export function readTenant<T>(
  pool: PostgresPool,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  return retrying(() => transact(pool, "begin isolation level repeatable read read only", tenantId, work));
}

/**
 * Runs `work` as one transaction while no other writes for the tenant: operations read before they write, and two that
 * each find no duplicate, or each find another Admin left, must not both go through. The rules are all within a tenant,
 * so writers of different tenants do not wait for each other. (SERIALIZABLE keeps the rules as well, but where two made
 * customers of one tenant at once most transactions failed, many of them ten times over.)
 */
export function writeTenant<T>(
  pool: PostgresPool,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  return writeAlone(pool, beginWriting(tenantId), tenantId, work);
}

/** The same, but the commit does not wait for the disk: when the server crashes its last moment may not have been. */
export function writeTenantRelaxed<T>(
  pool: PostgresPool,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  return writeAlone(pool, `${beginWriting(tenantId)}; ${relaxedCommit}`, tenantId, work);
}

const relaxedCommit = "set local synchronous_commit = off";

// Read committed: each statement sees what those committed who had the lock before.
const beginWriting = (tenantId: number) =>
  `begin isolation level read committed; select pg_advisory_xact_lock(${toLockKey(tenantId)})`;

function writeAlone<T>(
  pool: PostgresPool,
  begin: string,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  // Waiting here takes none of the connections, which readers need.
  return pool.writers.runExclusive(tenantId, () => retrying(() => transact(pool, begin, tenantId, work)));
}

/** A key that no migration and, it is hoped, nobody else locks: "dspc", then the tenant. */
function toLockKey(tenantId: number): bigint {
  return (0x64737063n << 32n) + BigInt(tenantId);
}

/** A connection whose statements each commit by themselves, lightly, each in a transaction of its own that names the tenant. */
export async function toTenantConnection(pool: PostgresPool, tenantId: number): Promise<StatementConnection> {
  const connection = await pool.acquire();
  const run = async (query: CompiledQuery) => {
    // Sent without waiting in between: the connection runs them in this order.
    const begun = connection.command(`begin; ${toTenantSettings(tenantId)}; ${relaxedCommit}`);
    const answer = connection.run(query);
    const ended = connection.command("commit");
    const [, result] = await Promise.all([begun, answer, ended]);
    return result;
  };
  return { run, release: () => connection.release() };
}

async function transact<T>(
  pool: PostgresPool,
  begin: string,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire();
  try {
    await connection.command(`${begin}; ${toTenantSettings(tenantId)}`);
    const result = await work(toRows(connection));
    // A commit after a failed statement that nobody told of undoes everything, and is no error for the database.
    if ((await connection.command("commit")) !== "COMMIT")
      throw new Error("A statement of the transaction failed and was passed over.");
    return result;
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    connection.release();
  }
}

/** The wall that migrations/postgres-parts.ts describes, put up for one transaction. */
function toTenantSettings(tenantId: number): string {
  if (!Number.isSafeInteger(tenantId)) throw new Error("A tenant's id is a whole number.");
  return `set local dispatch.tenant = '${tenantId}'; set local dispatch.all_tenants = 'off'`;
}

function toRows(connection: PooledConnection): TenantRows {
  const openWall = (isOpen: "on" | "off") =>
    connection.command(`set local dispatch.all_tenants = '${isOpen}'`);
  const runOnAll = async (query: CompiledQuery) => {
    // Sent without waiting in between, so that no other statement comes between them.
    const opened = openWall("on");
    const answer = connection.run(query);
    const closed = openWall("off");
    const [, result] = await Promise.all([opened, answer, closed]);
    return result;
  };
  return { own: toKyselyOn((query) => connection.run(query)), all: toKyselyOn(runOnAll), locksRows: true };
}

const attemptsMax = 10;

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isWorthAnotherTry(error, made)) throw error;
      if (made === attemptsMax)
        throw failure("store_unavailable", "Too many callers changed the same records at once.", null, error);
    }
    // Apart from each other, or those who met would meet again.
    await setTimeout(Math.random() * Math.min(2 ** made, 100));
  }
}

/** Serialization failures and deadlocks (the database asks for it); a unique key that another took in the meantime, once. */
function isWorthAnotherTry(error: unknown, made: number): boolean {
  const state = stateOf(error);
  if (state === "40001" || state === "40P01") return true;
  return made < 3 && (state === "23505" || isStalePlan(error));
}
