import type { CompiledQuery, Kysely } from "kysely";
import type { Environment } from "../runtime/environment.ts";
import { NotedWaits } from "../runtime/noted-work.ts";
import type { TimeCounts } from "../runtime/time-counts.ts";
import type { StoreFault } from "./condition.ts";
import type { Database } from "./schema/database.ts";

export interface OpenOptions {
  create?: boolean;
  /** The source of libpq's variables (`PGSSLMODE`, `PGSERVICE` …). PostgreSQL only. */
  env?: Environment | undefined;
  /**
   * For bulk changes that can be repeated: commits do not wait for the disk, only `close` does. A crash of the program
   * loses nothing; a power cut may lose the last changes. SQLite only.
   */
  isBulk?: boolean;
  /** For a second connection of a process that has the store open: it does not write or migrate. SQLite only. */
  isReadOnly?: boolean;
  /** Called when the program has waited a second for another process's lock. It waits for 10 s at most. SQLite only. */
  onWait?: () => void;
  inMemory?: { image: Uint8Array | null };
}

/** The state of an open database. It does not read or write rows, so every folder may use it. */
export interface DatabaseState {
  /**
   * Waits for the current writers of the tenant. A caller that reads afterwards sees every change that was committed
   * earlier than the ones it sees. Does nothing on SQLite, where writers follow one another.
   */
  waitForWriters(tenantId: number): Promise<void>;
  /**
   * Another number after each commit of any process that wrote rows of the tenant or shared rows: tenants, people,
   * tokens, haulers, metadata. null on PostgreSQL, where reading it would take a query. Without `isFresh`, commits of
   * other processes during the current callback may be missing.
   */
  revision(tenantId: number, isFresh?: boolean): number | null;
  /**
   * The same for shared rows only. On PostgreSQL it shows this process's changes at once, and those of other servers
   * within a second.
   */
  sharedRevision(): number | null;
  readonly hints: StoreHints;
  databaseMs(): Promise<number | null>;
  /** Throws the reason why the database cannot be used; returns warnings for its operator. */
  check(): Promise<readonly string[]>;
  /** Writes to the disk without changing a record, and reads. Throws the reason for a failure. */
  probe(): Promise<void>;
  /** The fault of the database, if it is known without a query. */
  fault(): StoreFault | null;
  onFault(listener: (fault: StoreFault | null) => void): void;
  /** The use of the database by this process, and its waiting time, without a query. */
  activity(): StoreActivity;
  /**
   * The file, if another thread of this process can open it: null after the file was lost, for a copy, and on
   * PostgreSQL, which runs several statements at once.
   */
  sharedFile(): SharedFile | null;
  image(bytesMax: number): Promise<Uint8Array | null>;
}

/** An open database. The interface holds the differences between databases, except for the dialect of their queries. */
export interface OpenDatabase extends DatabaseState {
  /** Each statement is a commit of its own, on rows of any tenant. */
  readonly db: Kysely<Database>;
  /** Each statement is a relaxed commit of its own, on rows of one tenant. */
  direct(tenantId: number): TenantRows;
  read<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  readAll<T>(work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one serializable transaction. The database may run `work` again after a conflict, so its effects
   * outside of the database must be repeatable.
   */
  write<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>, locks?: WriteLocks): Promise<T>;
  /**
   * The same, but the commit does not wait for the disk: if the machine (not only the program) fails within a second,
   * the transaction may be lost.
   */
  writeRelaxed<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /** The last id of each numbered table; tables without rows may be missing. */
  sequences(): Promise<Readonly<Record<string, number>>>;
  /** Prevents the reuse of ids up to these: for rows that were copied with their ids. */
  raiseSequences(last: Readonly<Record<string, number>>): Promise<void>;
  close(): Promise<void>;
}

export interface SharedFile {
  path: string;
  bytes: number;
}

/**
 * "tenant", the default: no other transaction writes for the tenant at the same time. "rows": others with "rows" may,
 * so `work` locks the rows that it reads and then changes.
 */
export type WriteLocks = "rows" | "tenant";

export interface TenantRows {
  /** Rows of the tenant. PostgreSQL hides all others, whatever a query asks for. */
  own: Kysely<Database>;
  /** Rows of any tenant: for people who work in several. */
  all: Kysely<Database>;
  /** Whether concurrent writers lock rows, so that a query may skip locked rows. */
  locksRows: boolean;
  /**
   * Runs a statement as one of the last of the transaction, in the order of the calls, and passes its rows to `take`
   * before the transaction ends. Transactions of a tenant become visible in the order of these statements, so nobody
   * sees an id before a lower one.
   */
  last<Row>(query: CompiledQuery<Row>, take: (rows: Row[]) => void): Promise<void>;
  combinesInserts: boolean;
  keepsCounts: boolean;
}

/**
 * The subject of a commit: deliveries that became due, shared rows (tokens, users, metadata), workers that hold
 * deliveries.
 */
export type StoreHint = "deliveries" | "shared" | "workers";

/**
 * Notices between the processes of a store. Any of them may be lost, so listeners also poll; while notices arrive, they
 * poll less often.
 */
export interface StoreHints {
  /** Notifies the listeners in this process and in others. */
  give(hint: StoreHint): void;
  onHint(listener: (hint: StoreHint) => void): () => void;
  /** Starts to listen to other processes, where the database supports that, until the store is closed. */
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

/**
 * A statement may wait for a connection of this process, for other writers of this process, or for another process's
 * lock on the file.
 */
type StoreQueue = "connection" | "writer" | "file_lock";

/** How long callers waited in each queue. A caller that does not wait counts as no time. */
export type StoreWaits = Readonly<Record<StoreQueue, TimeCounts>>;

export interface StoreActivity {
  /**
   * `waiting` counts the callers that wait for a connection. A file has one, and a second one to read during writes.
   */
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
