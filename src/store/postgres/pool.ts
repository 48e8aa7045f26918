import pg from "pg";
import { failure } from "../../errors/errors.ts";
import { FairPlaces, type Leave } from "../../runtime/fair-places.ts";
import { createStoreWaits, type StoreActivity, type StoreWaits } from "../api.ts";
import type { PoolMode, PostgresAddress } from "./address.ts";
import { toPoolConfig } from "./connection-config.ts";
import { toStoreError } from "./errors.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { type PoolContext, PooledConnection, SharedRevision, StatementNames } from "./pooled-connection.ts";
import { toLocalSettings, toSessionSettings } from "./session-settings.ts";

export class PostgresPool implements PoolContext {
  readonly address: PostgresAddress;
  readonly writers: KeyedLock;
  readonly shared: SharedRevision;
  readonly #waits: StoreWaits;
  names: StatementNames | null = null;
  localSettings: string | null = null;
  #pool: pg.Pool;
  /** One place for each connection. Without places, the first tenant would get all connections. */
  readonly #places: FairPlaces;
  #mode: PoolMode | null;
  #finding: Promise<PoolMode> | undefined;
  #wasReached = false;

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
    this.#mode = address.poolMode === "auto" ? null : address.poolMode;
    this.#pool = this.#use(this.#mode ?? "session");
  }

  get mode(): PoolMode | null {
    return this.#mode;
  }

  /** The caller must release the connection. Tenants share connections fairly. Throws if none is free in time. */
  async acquire(tenantId = noTenant): Promise<PooledConnection> {
    const since = performance.now();
    const leave = this.#places.takeAtOnce(tenantId) ?? (await this.#waitForPlace(tenantId));
    try {
      if (this.#mode === null) await this.findMode();
      const client = await this.#pool.connect();
      this.#waits.connection.addMs(performance.now() - since);
      return new PooledConnection(client, this, leave);
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

  /** After the first success, faults of the database count as temporary. */
  markReached(): void {
    this.#wasReached = true;
  }

  toStoreError(error: unknown): unknown {
    return toStoreError(error, this.address.shown, !this.#wasReached);
  }

  async end(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async findMode(): Promise<PoolMode> {
    if (this.#mode !== null) return this.#mode;
    this.#finding ??= this.#lookForPooler().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  /** A pooler refuses settings, or reports another process id than the session. Assumes transaction mode. */
  async #lookForPooler(): Promise<PoolMode> {
    const direct = this.#pool;
    const isPooled = await meetsPooler(direct);
    if (isPooled) this.#pool = this.#use("transaction");
    this.#mode = isPooled ? "transaction" : "session";
    if (isPooled) await direct.end();
    return this.#mode;
  }

  #use(mode: PoolMode): pg.Pool {
    const isPlain = mode === "transaction";
    // Poolers before PgBouncer 1.21 lose named prepared statements.
    this.names = isPlain ? null : new StatementNames();
    this.localSettings = isPlain ? toLocalSettings(toSessionSettings(this.address)) : null;
    const pool = new pg.Pool(toPoolConfig(this.address, isPlain));
    // Without these listeners, a broken connection would end the process.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    return pool;
  }
}

async function meetsPooler(pool: pg.Pool): Promise<boolean> {
  try {
    const client: pg.PoolClient & { processID?: number } = await pool.connect();
    try {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      return rows[0]?.pid !== client.processID;
    } finally {
      client.release();
    }
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return true;
    throw error;
  }
}

const noTenant = 0;

/** The writers of one tenant may hold this part of the connections. */
const writersPart = 0.8;

/** Used when statements have no timeout. */
const writerWaitMsMax = 60_000;
