import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CompiledQuery, QueryResult } from "kysely";
import pg from "pg";
import { failure } from "../../errors/errors.ts";
import { FairPlaces, type Leave } from "../../runtime/fair-places.ts";
import { createStoreWaits, type StoreActivity, type StoreWaits } from "../activity.ts";
import type { PostgresAddress, TlsOptions } from "./address.ts";
import type { StatementConnection } from "./dialect.ts";
import { isConnectionLost, toStoreError } from "./errors.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { changesShared, SharedRevision } from "./shared-revision.ts";
import { valueTypes } from "./values.ts";

/** Connections to one database, kept for reuse. Turns faults of the database into errors of the table. */
export class PostgresPool {
  readonly address: PostgresAddress;
  /** Lets in the writers of this process, by tenant. */
  readonly writers: KeyedLock;
  /** Raised by each connection that has changed what tenants share. */
  readonly shared: SharedRevision;
  readonly #waits: StoreWaits;
  readonly #pool: pg.Pool;
  /** One for each connection: of the pool itself whoever comes first would have all. */
  readonly #places: FairPlaces;
  readonly #names = new StatementNames();
  #wasReached = false;

  /** Counts in `waits` how long its users wait. */
  constructor(address: PostgresAddress, shared = new SharedRevision(), waits = createStoreWaits()) {
    this.address = address;
    this.shared = shared;
    this.#waits = waits;
    const limits = {
      sharedMax: Math.ceil(address.poolMax * writersPart),
      waitMsMax: address.statementTimeoutMs || writerWaitMsMax,
    };
    this.writers = new KeyedLock(limits, waits.writer);
    this.#places = new FairPlaces({ places: address.poolMax, reserved: address.poolMax > 1 ? 1 : 0 });
    this.#pool = new pg.Pool(toConfig(address));
    // The pool drops a connection that breaks while idle; the next query opens another. A connection that breaks between
    // two statements fails the next one. Without these listeners either would end the whole process.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  /**
   * A connection that the caller must release, for work of a tenant; by default for what concerns several. Tenants share the
   * connections (OP-219). Throws when none comes free in time.
   */
  async acquire(tenantId = noTenant): Promise<PooledConnection> {
    const since = performance.now();
    const leave = this.#places.takeAtOnce(tenantId) ?? (await this.#waitForPlace(tenantId));
    try {
      const client = await this.#pool.connect();
      this.#waits.connection.addMs(performance.now() - since);
      return new PooledConnection(client, this.#names, this, leave);
    } catch (error) {
      leave();
      throw this.toStoreError(error);
    }
  }

  activity(): StoreActivity {
    const { idleCount: idle, totalCount, waitingCount } = this.#pool;
    return {
      connections: {
        used: totalCount - idle,
        idle,
        waiting: waitingCount + this.#places.countWaiting(noTenant).all,
      },
      connectionsMax: this.address.poolMax,
      writersWaiting: this.writers.waiting,
      waits: this.#waits,
    };
  }

  async #waitForPlace(tenantId: number): Promise<Leave> {
    const patience = new AbortController();
    const since = performance.now();
    const giveUp = () => {
      this.#waits.connection.addMs(performance.now() - since);
      patience.abort(failure("store_unavailable", "All connections to the database are in use."));
    };
    const timer = setTimeout(giveUp, this.address.connectTimeoutMs);
    try {
      return await this.#places.take(tenantId, patience.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** From now on faults of the database count as passing ones: it was in order once. */
  markReached(): void {
    this.#wasReached = true;
  }

  toStoreError(error: unknown): unknown {
    return toStoreError(error, this.address.shown, !this.#wasReached);
  }

  async end(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }
}

/** No tenant has this id. */
const noTenant = 0;

/** How many of the connections the writers of one tenant may hold: readers and other tenants need some. */
const writersPart = 0.8;

/** How long a writer waits for others of this process when statements have no time-out. */
const writerWaitMsMax = 60_000;

/**
 * A connection that somebody holds. Statements are sent at once, in the order of the calls, without waiting for the
 * answers of earlier ones; the database runs them in this order. Those of one moment travel in one packet.
 */
export class PooledConnection implements StatementConnection {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;
  readonly #pool: Pick<PostgresPool, "shared" | "toStoreError">;
  readonly #leave: Leave;
  #changesShared = false;
  #isLost = false;
  #isCorked = false;

  constructor(
    client: pg.PoolClient,
    names: StatementNames,
    pool: Pick<PostgresPool, "shared" | "toStoreError">,
    leave: Leave,
  ) {
    this.#client = client;
    this.#names = names;
    this.#pool = pool;
    this.#leave = leave;
  }

  async run({ sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> {
    const name = this.#names.nameOf(sql, parameters.length);
    const { command, rowCount, rows } = await this.#send({
      text: sql,
      values: [...parameters],
      ...(name !== undefined && { name }),
    });
    const isChange =
      command === "INSERT" || command === "UPDATE" || command === "DELETE" || command === "MERGE";
    if (!isChange) return { rows };
    this.#changesShared ||= changesShared(sql);
    return { numAffectedRows: BigInt(rowCount ?? 0), rows };
  }

  /** Runs statements without parameters, all in one message; gives the command tag of the last. */
  async command(sql: string): Promise<string> {
    // With several statements there are as many results, which the driver's types do not say.
    const results: pg.QueryResult | pg.QueryResult[] = await this.#send({ text: sql });
    return (Array.isArray(results) ? results.at(-1) : results)?.command ?? "";
  }

  /** Runs a statement without a time-out. */
  async commandWithoutTimeout(sql: string): Promise<void> {
    const patient = { query_timeout: 2 ** 31 - 1, text: sql };
    await this.#send(patient);
  }

  /** Gives the connection back; closes it if it is lost or in doubt. */
  release(): void {
    // After the commit, and before anybody is told of it.
    if (this.#changesShared) this.#pool.shared.raise();
    this.#client.release(this.#isLost);
    this.#leave();
  }

  /** Undoes the transaction. The database does that by itself for a lost connection, so nothing is sent on one. */
  async rollBack(): Promise<void> {
    if (!this.#isLost) await this.command("rollback").catch(() => this.giveUp());
  }

  /** Keeps the connection from being used again. */
  giveUp(): void {
    this.#isLost = true;
  }

  async #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#cork();
    try {
      return await this.#client.query(query);
    } catch (error) {
      // A prepared statement whose result type has changed fails on this connection for ever.
      if (isConnectionLost(error) || isStalePlan(error)) this.giveUp();
      throw this.#pool.toStoreError(error);
    }
  }

  /** Holds what is sent back until all that is ready to run has run: each packet costs both sides 10 µs and more. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.#client.connection;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}

/** Whether a statement failed because a newer program changed a table after it was prepared. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && /cached plan must not change result type/.test(error.message);
}

/**
 * Decides which statements connections keep prepared: those that come a second time, up to a number, because each takes
 * memory on every connection. Statements with long lists of values seldom come again.
 */
class StatementNames {
  readonly #names = new Map<string, string | null>();

  nameOf(sql: string, parameterCount: number): string | undefined {
    if (parameterCount > 50) return undefined;
    const known = this.#names.get(sql);
    if (known) return known;
    if (this.#names.size >= 500 && known === undefined) return undefined;
    const name = known === null ? createHash("sha256").update(sql).digest("hex").slice(0, 32) : null;
    this.#names.set(sql, name);
    return name ?? undefined;
  }
}

function toConfig(address: PostgresAddress): pg.PoolConfig {
  const { connectTimeoutMs, poolMax, schema, statementTimeoutMs } = address;
  const settings = [
    "-c datestyle=ISO",
    // Statements outside of a tenant's transaction concern the whole store; see migrations/postgres-parts.ts.
    "-c dispatch.all_tenants=on",
    ...(schema === null ? [] : [`-c search_path=${schema}`]),
  ];
  return {
    ...toServer(address),
    application_name: address.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    max: poolMax,
    // Within this time the pool leaves a primary that became a standby, and a name that moved.
    maxLifetimeSeconds: 1800,
    options: [address.options, ...settings].filter((part) => part !== "").join(" "),
    pipeline: true,
    // The server's own time-out comes first; this one is for a server that vanished.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 5000 }),
    ssl: toTls(address.tls),
    ...(statementTimeoutMs > 0 && { statement_timeout: statementTimeoutMs }),
    types: valueTypes,
  };
}

/** Leaves out what is not given, so that the driver takes it from libpq's environment variables. */
function toServer({ host, port, database, user, password }: PostgresAddress): pg.PoolConfig {
  const given = Object.entries({ host, port, database, user, password });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function toTls({
  mode,
  rootCertificateFile,
  certificateFile,
  keyFile,
}: TlsOptions): NonNullable<pg.PoolConfig["ssl"]> {
  if (mode === "disable") return false;
  return {
    rejectUnauthorized: mode !== "require",
    ...(mode === "verify-ca" && { checkServerIdentity: () => undefined }),
    ...(rootCertificateFile !== null && { ca: readPem(rootCertificateFile) }),
    ...(certificateFile !== null && { cert: readPem(certificateFile) }),
    ...(keyFile !== null && { key: readPem(keyFile) }),
  };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("store_unreadable", `The certificate ${file} cannot be read: ${reason}.`, null, error);
  }
}
