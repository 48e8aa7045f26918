import { setTimeout } from "node:timers/promises";
import type { CompiledQuery } from "kysely";
import { failure } from "../../errors/errors.ts";
import type { TenantRows, WriteLocks } from "../api.ts";
import { type StatementConnection, toQueries } from "../kysely.ts";
import { stateOf } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";
import { isStalePlan, type PooledConnection, postgresLanguage } from "./pooled-connection.ts";
import { relaxedCommit, toLockKey } from "./session-settings.ts";

/** Runs `work` on one snapshot of a tenant. Readers and writers do not wait for each other. */
export function readTenantRows<T>(
  pool: PostgresPool,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  return retrying(() => transact(pool, reading, tenantId, work));
}

const reading: TransactionKind = {
  begin: "begin isolation level repeatable read read only",
  isReadOnly: true,
};

export async function readAllRows<T>(pool: PostgresPool, work: (rows: TenantRows) => Promise<T>): Promise<T> {
  const connection = await pool.acquire();
  try {
    await connection.begin(reading.begin, "set local dispatch.all_tenants = 'on'");
    const all = toQueries(postgresLanguage, (query) => connection.run(query));
    const result = await work({ ...toRows(connection, []), all, own: all });
    await connection.commit();
    return result;
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    connection.release();
  }
}

/**
 * Runs `work` in a transaction under the tenant's lock: exclusive ("tenant") or shared ("rows"). Operations read before
 * they write: two that find no duplicate, or another Admin, must not both succeed. SERIALIZABLE is no alternative: with
 * two writers in a tenant, most transactions failed. With "rows", 32 clients 10 ms away make 100 changes a second
 * instead of 3.
 */
export function writeTenant<T>(
  pool: PostgresPool,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
  locks: WriteLocks = "tenant",
): Promise<T> {
  const key = toTenantKey(tenantLock, tenantId);
  // Writers wait here, where they hold no connection. Readers need the connections.
  if (locks === "tenant") {
    const kind = { begin: beginWriting, lock: `select pg_advisory_xact_lock(${key})` };
    return pool.writers.runAlone(tenantId, () => retrying(() => transact(pool, kind, tenantId, work)));
  }
  const kind = {
    begin: beginWriting,
    lock: `select pg_advisory_xact_lock_shared(${key})`,
    // Held only during the last statements and the commit. The tenant's exclusive lock makes it unnecessary.
    beforeLast: `select pg_advisory_xact_lock(${toTenantKey(lastLock, tenantId)})`,
  };
  return pool.writers.runShared(tenantId, () => retrying(() => transact(pool, kind, tenantId, work)));
}

/** Has the tenant's lock alone. The commit does not wait for the disk: a server crash may lose the last commits. */
export function writeTenantRelaxed<T>(
  pool: PostgresPool,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  const lock = `select pg_advisory_xact_lock(${toTenantKey(tenantLock, tenantId)})`;
  const kind = { begin: beginWriting, lock: `${lock}; ${relaxedCommit}` };
  return pool.writers.runAlone(tenantId, () => retrying(() => transact(pool, kind, tenantId, work)));
}

// Read committed: each statement sees the commits of earlier holders of the lock.
const beginWriting = "begin isolation level read committed";

/** The upper halves of advisory lock keys ("dspc", "dspl") avoid other programs' keys. */
const tenantLock = 0x64737063n;
const lastLock = 0x6473706cn;

const toTenantKey = (upperHalf: bigint, tenantId: number) => toLockKey((upperHalf << 32n) + BigInt(tenantId));

export async function toTenantConnection(pool: PostgresPool, tenantId: number): Promise<StatementConnection> {
  const connection = await pool.acquire(tenantId);
  const run = async (query: CompiledQuery) => {
    const begun = connection.begin("begin", `${toTenantSettings(tenantId)}; ${relaxedCommit}`);
    const answer = connection.run(query);
    const ended = connection.commit();
    const [, result] = await Promise.all([begun, answer, ended]);
    return result;
  };
  return { run, release: () => connection.release() };
}

interface TransactionKind {
  begin: string;
  lock?: string;
  beforeLast?: string;
  /** A read-only transaction: callers need not wait for its end. */
  isReadOnly?: boolean;
}

async function transact<T>(
  pool: PostgresPool,
  { begin, beforeLast, isReadOnly = false, lock }: TransactionKind,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire(tenantId);
  // Travels with the first statement of `work`. If it fails, the aborted transaction fails all other statements too.
  const settings = toTenantSettings(tenantId);
  const begun = connection.begin(begin, lock === undefined ? settings : `${lock}; ${settings}`);
  begun.catch(() => undefined);
  try {
    const last: LastStatement[] = [];
    const result = await work(toRows(connection, last));
    // Travels with the commit, which becomes a rollback if one of these fails.
    const written = runLast(connection, last, beforeLast);
    const ended = connection.commit();
    ended.catch(() => undefined);
    await written;
    // If `work` swallowed a failure, the commit returns ROLLBACK and no error.
    if (!isReadOnly && (await ended) !== "COMMIT")
      throw new Error("A statement of the transaction failed and was passed over.");
    return result;
  } catch (error) {
    await connection.rollBack();
    // A failed begin caused all later failures.
    await begun;
    throw error;
  } finally {
    connection.release();
  }
}

interface LastStatement {
  query: CompiledQuery;
  take(rows: unknown[]): void;
}

async function runLast(
  connection: PooledConnection,
  last: readonly LastStatement[],
  before: string | undefined,
): Promise<void> {
  if (last.length === 0) return;
  const sent = [
    ...(before === undefined ? [] : [connection.command(before)]),
    ...last.map(async ({ query, take }) => take((await connection.run(query)).rows)),
  ];
  await Promise.all(sent);
}

/** Row-level security (migrations/postgres-parts.ts) reads these settings. */
function toTenantSettings(tenantId: number): string {
  if (!Number.isSafeInteger(tenantId)) throw new Error("A tenant's id is a whole number.");
  return `set local dispatch.tenant = '${tenantId}'; set local dispatch.all_tenants = 'off'`;
}

function toRows(connection: PooledConnection, last: LastStatement[]): TenantRows {
  const openWall = (isOpen: "on" | "off") =>
    connection.command(`set local dispatch.all_tenants = '${isOpen}'`);
  const runOnAll = async (query: CompiledQuery) => {
    const opened = openWall("on");
    const answer = connection.run(query);
    const closed = openWall("off");
    const [, result] = await Promise.all([opened, answer, closed]);
    return result;
  };
  return {
    own: toQueries(postgresLanguage, (query) => connection.run(query)),
    all: toQueries(postgresLanguage, runOnAll),
    locksRows: true,
    // Safe: `take` gets the rows of its own query. The list cannot express that type.
    last: async (query, take) => void last.push({ query, take: take as LastStatement["take"] }),
    combinesInserts: true,
    keepsCounts: false,
  };
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
    // Random, or the same callers would collide again.
    await setTimeout(Math.random() * Math.min(2 ** made, 100));
  }
}

/** Retries each serialization failure and deadlock, and a taken unique key or stale plan twice. */
function isWorthAnotherTry(error: unknown, made: number): boolean {
  const state = stateOf(error);
  if (state === "40001" || state === "40P01") return true;
  return made < 3 && (state === "23505" || isStalePlan(error));
}
