import { setTimeout } from "node:timers/promises";
import type { CompiledQuery } from "kysely";
import { failure } from "../../errors/errors.ts";
import type { TenantRows, WriteLocks } from "../api.ts";
import { type StatementConnection, toQueries } from "../kysely.ts";
import { stateOf } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";
import { isStalePlan, type PooledConnection, postgresLanguage } from "./pooled-connection.ts";
import { relaxedCommit, toLockKey } from "./session-settings.ts";

/** Runs `work` on one consistent state of a tenant. It waits for no writer, and no writer waits for it. */
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

/** Runs `work` on one consistent state of all tenants, with access to the rows of all tenants. */
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
 * Runs `work` as one transaction while no other writes for the tenant; with "rows" beside others with "rows".
 * Operations read before they write. If two of them each find no duplicate, or each find another Admin left, they must
 * not both succeed: "tenant" is for them. All such rules are within a tenant, so writers of different tenants do not
 * wait for each other. (SERIALIZABLE would keep the rules as well, but with two writers in one tenant most transactions
 * failed, many of them ten times.) With "rows", 32 clients of a tenant 10 ms away make 100 changes a second instead of
 * 3.
 */
export function writeTenant<T>(
  pool: PostgresPool,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
  locks: WriteLocks = "tenant",
): Promise<T> {
  const key = toTenantKey(tenantLock, tenantId);
  // Writers wait here and not for the lock, so that they hold no connection, which readers need.
  if (locks === "tenant") {
    const kind = { begin: beginWriting, lock: `select pg_advisory_xact_lock(${key})` };
    return pool.writers.runAlone(tenantId, () => retrying(() => transact(pool, kind, tenantId, work)));
  }
  const kind = {
    begin: beginWriting,
    lock: `select pg_advisory_xact_lock_shared(${key})`,
    // Held only during the commit, because the last statements and the commit are sent together. A caller that holds
    // the tenant's exclusive lock does not need it.
    beforeLast: `select pg_advisory_xact_lock(${toTenantKey(lastLock, tenantId)})`,
  };
  return pool.writers.runShared(tenantId, () => retrying(() => transact(pool, kind, tenantId, work)));
}

/**
 * The same while no other writes, but the commit does not wait for the disk: a crash of the server may lose the last
 * commits.
 */
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

/**
 * The upper halves of the keys of a tenant's advisory locks ("dspc", "dspl") keep them apart from other programs' keys.
 */
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
  /** Changes nothing, so callers need not wait for its end. */
  isReadOnly?: boolean;
}

async function transact<T>(
  pool: PostgresPool,
  { begin, beforeLast, isReadOnly = false, lock }: TransactionKind,
  tenantId: number,
  work: (rows: TenantRows) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire(tenantId);
  // Travels with the first statement of `work`. If it fails, all following statements fail: the transaction is aborted.
  const settings = toTenantSettings(tenantId);
  const begun = connection.begin(begin, lock === undefined ? settings : `${lock}; ${settings}`);
  begun.catch(() => undefined);
  try {
    const last: LastStatement[] = [];
    const result = await work(toRows(connection, last));
    // Sent before the commit, which the database turns into a rollback if one of them fails.
    const written = runLast(connection, last, beforeLast);
    const ended = connection.commit();
    ended.catch(() => undefined);
    await written;
    // If `work` has caught a statement's failure, the database answers the commit with a rollback instead of an error.
    if (!isReadOnly && (await ended) !== "COMMIT")
      throw new Error("A statement of the transaction failed and was passed over.");
    return result;
  } catch (error) {
    await connection.rollBack();
    // If it failed, it is the cause of all later failures.
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

/** Limits one transaction to a tenant's rows by the policies of migrations/postgres-parts.ts. */
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
    // For a random time, or the same callers would collide again.
    await setTimeout(Math.random() * Math.min(2 ** made, 100));
  }
}

/** Always after serialization failures and deadlocks; twice at most after a taken unique key or a stale plan. */
function isWorthAnotherTry(error: unknown, made: number): boolean {
  const state = stateOf(error);
  if (state === "40001" || state === "40P01") return true;
  return made < 3 && (state === "23505" || isStalePlan(error));
}
