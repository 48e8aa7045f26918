import type { CompiledQuery, Kysely } from "kysely";
import type { Environment } from "../runtime/environment.ts";
import { NotedWaits } from "../runtime/noted-work.ts";
import type { TimeCounts } from "../runtime/time-counts.ts";
import type { StoreFault } from "./condition.ts";
import type { Database } from "./schema/database.ts";

export interface OpenOptions {
  create?: boolean;
  /** libpq's variables (`PGSSLMODE`, `PGSERVICE` …). PostgreSQL only. */
  env?: Environment | undefined;
  /** For repeatable bulk changes: only `close` waits for the disk, so a power cut may lose changes. SQLite only. */
  isBulk?: boolean;
  /** For a second connection of the same process: it does not write or migrate. SQLite only. */
  isReadOnly?: boolean;
  /** Called after one second of waiting for another process's lock. The wait ends after 10 s. SQLite only. */
  onWait?: () => void;
  inMemory?: { image: Uint8Array | null };
}

export interface DatabaseState {
  /** Waits for the tenant's current writers, so that a later read misses no earlier commit. Does nothing on SQLite. */
  waitForWriters(tenantId: number): Promise<void>;
  /**
   * Changes with each commit to the tenant's rows. null on PostgreSQL. Without `isFresh`, other processes may be late.
   */
  revision(tenantId: number, isFresh?: boolean): number | null;
  /** The revision of shared rows. On PostgreSQL, it follows other servers' commits within a second. */
  sharedRevision(): number | null;
  readonly hints: StoreHints;
  databaseMs(): Promise<number | null>;
  /** Throws if the database cannot be used; returns warnings for the operator. */
  check(): Promise<readonly string[]>;
  /** Tests a write to the disk and a read, without changing a record. Throws the failure. */
  probe(): Promise<void>;
  /** How far a standby was behind its primary at the last `check`; null for a primary and for a file. */
  standbyLagMs(): number | null;
  fault(): StoreFault | null;
  onFault(listener: (fault: StoreFault | null) => void): void;
  activity(): StoreActivity;
  /** The file for other threads of this process. null for a lost file, a read-only file's copy, and PostgreSQL. */
  sharedFile(): SharedFile | null;
  image(bytesMax: number): Promise<Uint8Array | null>;
}

export interface OpenDatabase extends DatabaseState {
  /** Rows of any tenant. Each statement commits on its own. */
  readonly db: Kysely<Database>;
  /** Each statement is a relaxed commit of its own. */
  direct(tenantId: number): TenantRows;
  read<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  readAll<T>(work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /** Serializable. After a conflict `work` runs again, so its other effects must be repeatable. */
  write<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>, locks?: WriteLocks): Promise<T>;
  /** A commit that does not wait for the disk. If the machine fails within a second, the change may be lost. */
  writeRelaxed<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  sequences(): Promise<Readonly<Record<string, number>>>;
  /** Prevents the reuse of ids up to these. Call it after copying rows with their ids. */
  raiseSequences(last: Readonly<Record<string, number>>): Promise<void>;
  close(): Promise<void>;
}

export interface SharedFile {
  path: string;
  bytes: number;
}

/** "tenant" (default): one writer at a time. "rows": several; `work` must lock the rows that it changes. */
export type WriteLocks = "rows" | "tenant";

export interface TenantRows {
  /** Rows of the tenant. Row-level security on PostgreSQL hides all others. */
  own: Kysely<Database>;
  all: Kysely<Database>;
  /** Whether writers lock rows, so that a query may skip locked rows. */
  locksRows: boolean;
  /**
   * Runs a statement at the end of the transaction, in the order of the calls: readers then see ids in ascending order.
   */
  last<Row>(query: CompiledQuery<Row>, take: (rows: Row[]) => void): Promise<void>;
  combinesInserts: boolean;
  keepsCounts: boolean;
}

/** What a commit changed: due deliveries, shared rows (tokens, users, metadata), or workers with leases. */
export type StoreHint = "deliveries" | "shared" | "workers";

/** Notifications between the processes of a store. Some get lost, so listeners also poll. */
export interface StoreHints {
  give(hint: StoreHint): void;
  onHint(listener: (hint: StoreHint) => void): () => void;
  listen(): void;
  isListening(): boolean;
}

export class LocalHints implements StoreHints {
  readonly #listeners = new Set<(hint: StoreHint) => void>();

  give(hint: StoreHint): void {
    for (const listener of this.#listeners) listener(hint);
  }

  onHint(listener: (hint: StoreHint) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  listen(): void {}

  isListening(): boolean {
    return false;
  }
}

type StoreQueue = "connection" | "writer" | "file_lock";

export type StoreWaits = Readonly<Record<StoreQueue, TimeCounts>>;

export interface StoreActivity {
  /** `waiting` counts callers without a connection. A file has one, and a second one for reads during writes. */
  connections: { used: number; idle: number; waiting: number };
  connectionsMax: number;
  writersWaiting: number;
  waits: StoreWaits;
}

export const waitBounds = [0.001, 0.01, 0.1, 1, 10];

export function createStoreWaits(): StoreWaits {
  return {
    connection: new NotedWaits("connection", waitBounds),
    writer: new NotedWaits("writer", waitBounds),
    file_lock: new NotedWaits("file_lock", waitBounds),
  };
}
