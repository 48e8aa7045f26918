import type { CompiledQuery, Kysely } from "kysely";
import type { Environment } from "../runtime/environment.ts";
import type { StoreFault } from "./condition.ts";
import type { Database } from "./schema/database.ts";
import { NotedWaits } from "../runtime/noted-work.ts";
import type { TimeCounts } from "../runtime/time-counts.ts";

export interface OpenOptions {
  create?: boolean;
  /** Where libpq's variables (`PGSSLMODE`, `PGSERVICE` …) are read from; none unless given. PostgreSQL only. */
  env?: Environment | undefined;
  /**
   * For many changes that can be repeated: commits do not wait for the disk, only closing the database does. A crash of
   * the program loses none of them, a power cut may lose the last ones. SQLite only; PostgreSQL ignores it.
   */
  isBulk?: boolean;
  /** For one more connection of a process that has the store open: nothing is written or migrated. SQLite only. */
  isReadOnly?: boolean;
  /**
   * Called when the program has waited a second for another process to let go of the file; nobody waits for longer than
   * 10 s. SQLite only.
   */
  onWait?: () => void;
  /** The store is kept in memory and gone when it is closed; it begins as `image` says, or empty. SQLite only. */
  inMemory?: { image: Uint8Array | null };
}

/** What an open database tells of itself and its revisions. It reads and writes no rows, so every room may use it. */
export interface DatabaseState {
  /**
   * Waits for what writes for the tenant now, so that whoever reads from then on sees all that happened before what it sees
   * (OP-101). Nothing where writers follow each other anyway.
   */
  waitForWriters(tenantId: number): Promise<void>;
  /**
   * Another number after each commit of anybody that wrote rows of the tenant, or of what tenants share: tenants, people,
   * tokens, haulers, metadata. null when telling it takes a question to the database. Only with `isFresh` it counts what other
   * processes have committed while the current callback runs.
   */
  revision(tenantId: number, isFresh?: boolean): number | null;
  /**
   * The same for what tenants share alone. On PostgreSQL it tells what this process wrote at once, and within a second what
   * other servers did (OP-167).
   */
  sharedRevision(): number | null;
  /** What processes of the store tell each other of their commits. */
  readonly hints: StoreHints;
  /** Milliseconds since 1970 by the clock that all users of the database share; null where they share the machine's. */
  databaseMs(): Promise<number | null>;
  /** Throws why the database cannot be used; gives warnings for its operator. */
  check(): Promise<readonly string[]>;
  /** Writes something to the disk that changes no record, and reads where that tells something. Throws why it cannot. */
  probe(): Promise<void>;
  /** Why the database cannot be relied on, as far as is known without asking it; null while nothing is. */
  fault(): StoreFault | null;
  /** Calls `listener` when something goes wrong or well again, with what is left. */
  onFault(listener: (fault: StoreFault | null) => void): void;
  /** What this process does with the database now, and how long it has waited for it; known without asking it. */
  activity(): StoreActivity;
  /**
   * The file that another thread of this process can open as well, as it is now; null where that would lead elsewhere or
   * is of no use: the file was lost, this is a copy of it, or the database answers several at once by itself.
   */
  sharedFile(): SharedFile | null;
  /** All that the store holds now, as `inMemory` takes it; null where that would be more than `bytesMax`, and on PostgreSQL. */
  image(bytesMax: number): Promise<Uint8Array | null>;
}

/** An open database. The interface holds what differs between databases, the dialect of their queries aside. */
export interface OpenDatabase extends DatabaseState {
  /** Statements that each commit by themselves, on rows of any tenant. */
  readonly db: Kysely<Database>;
  /** Statements that each commit by themselves, on rows of one tenant; they write as `writeRelaxed` does. */
  direct(tenantId: number): TenantRows;
  /** Runs `work` on one consistent state; it cannot write. */
  read<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /** The same for the rows of all tenants, whichever view of them `work` takes. */
  readAll<T>(work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one transaction whose outcome is as if no other ran at the same time. The database may run `work`
   * again after a conflict with others, so what it does outside of the database must be repeatable.
   */
  write<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>, locks?: WriteLocks): Promise<T>;
  /**
   * The same, but the commit does not wait for the disk: if the machine (not only the program) fails within the next
   * second, the transaction may be lost.
   */
  writeRelaxed<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /** The last id that each numbered table has given out; tables without rows may be missing. */
  sequences(): Promise<Readonly<Record<string, number>>>;
  /** Keeps ids up to these from being given out: for rows that were copied with their ids. */
  raiseSequences(last: Readonly<Record<string, number>>): Promise<void>;
  close(): Promise<void>;
}

/** The file of a store. */
export interface SharedFile {
  path: string;
  bytes: number;
}

/**
 * What a writing transaction keeps to itself where several run at once. "tenant", by default: no other transaction writes
 * for the tenant meanwhile. "rows": others with "rows" do, so `work` locks the rows that it reads in order to change them.
 */
export type WriteLocks = "rows" | "tenant";

/** Two views of the database within the same transaction. */
export interface TenantRows {
  /** Rows of the tenant. PostgreSQL hides all others, whatever a query asks for. */
  own: Kysely<Database>;
  /** Rows of any tenant: for people who work in several. */
  all: Kysely<Database>;
  /** Whether concurrent writers lock rows, so that a query may skip the locked ones. */
  locksRows: boolean;
  /**
   * Runs a statement as one of the last of the transaction, in the order of the calls, and hands its rows to `take` before
   * the transaction ends. Transactions of a tenant become visible in the order of what they write so: ids that such
   * statements give out are never seen before lower ones.
   */
  last<Row>(query: CompiledQuery<Row>, take: (rows: Row[]) => void): Promise<void>;
  /** Whether one statement can insert into several tables. */
  combinesInserts: boolean;
  /** Whether `table_revisions` and `job_counts` are there, which tell how many rows there are. */
  keepsCounts: boolean;
}

/**
 * What a commit may concern other processes with: deliveries that became due, what tenants share (tokens, users, metadata),
 * workers that hold deliveries now.
 */
export type StoreHint = "deliveries" | "shared" | "workers";

/**
 * Hints between processes of one store. Each may be lost, so whoever waits for one also looks by itself now and then; while
 * they come in that need not be often (OP-373).
 */
export interface StoreHints {
  /** Tells whoever listens, in this process and in others. */
  give(hint: StoreHint): void;
  /** Calls `listener` with each hint, until the function that it gives is called. */
  onHint(listener: (hint: StoreHint) => void): () => void;
  /** Begins to listen for other processes, where the database can tell of them; until the store is closed. */
  listen(): void;
  /** Whether hints of other processes come in now. */
  isListening(): boolean;
}

/** Tells of a hint within one process. */
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
 * What is waited for before a statement runs: a connection of this process, other writers of this process, and other
 * processes that hold a lock on a store's file.
 */
type StoreQueue = "connection" | "writer" | "file_lock";

/** How long was waited in each of a store's queues. What need not wait counts as no time. */
export type StoreWaits = Readonly<Record<StoreQueue, TimeCounts>>;

/** What a process does with its store at this moment, and how long it has waited for it so far. */
export interface StoreActivity {
  /** `waiting` counts the callers that wait for a connection. A file has one, and a second to read beside a writer. */
  connections: { used: number; idle: number; waiting: number };
  connectionsMax: number;
  /** How many writers wait for other writers. */
  writersWaiting: number;
  waits: StoreWaits;
}

/** In seconds. */
export const waitBounds = [0.001, 0.01, 0.1, 1, 10];

export function createStoreWaits(): StoreWaits {
  return {
    connection: new NotedWaits("connection", waitBounds),
    writer: new NotedWaits("writer", waitBounds),
    file_lock: new NotedWaits("file_lock", waitBounds),
  };
}
