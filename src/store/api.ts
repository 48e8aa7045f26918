import type { Kysely } from "kysely";
import type { Database } from "./schema/database.ts";

export interface OpenOptions {
  create?: boolean;
  /**
   * For many changes that can be made once more: they need not be on the disk at each commit, but when the database is
   * closed. A crash of the program loses none of them, a power cut the last ones. PostgreSQL has ways of its own.
   */
  isBulk?: boolean;
}

/** A database that is open, whichever it is: what differs between them beside the dialect of their queries. */
export interface OpenDatabase {
  /** Statements that each commit by themselves, on rows of any tenant. */
  readonly db: Kysely<Database>;
  /** Statements that each commit by themselves, on rows of one tenant; they write as `writeRelaxed` does. */
  direct(tenantId: number): TenantRows;
  /** Runs `work` on one consistent state; it cannot write. */
  read<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one transaction whose outcome is as if no other ran at the same time. It may be run again when others
   * were in its way, so everything it does outside of the database must stand being done twice.
   */
  write<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /**
   * The same, but the commit does not wait for the disk: when the machine, not the program, ends within the next second,
   * it may be as if nothing had been done.
   */
  writeRelaxed<T>(tenantId: number, work: (rows: TenantRows) => Promise<T>): Promise<T>;
  /** Throws what stands in the way when the database cannot be used; gives what an operator should know of it. */
  check(): Promise<readonly string[]>;
  /** Throws store_unavailable when the database takes no changes now. */
  checkWrites(): Promise<void>;
  /** The last id given in each table that numbers its rows; those without rows may be missing. */
  sequences(): Promise<Readonly<Record<string, number>>>;
  /** Lets no id up to these be given any more: for rows that were copied with theirs. */
  raiseSequences(last: Readonly<Record<string, number>>): Promise<void>;
  close(): Promise<void>;
}

/** Two ways to the rows, in the same transaction. */
export interface TenantRows {
  /** Rows of the tenant. PostgreSQL hides all others, whatever a query asks for. */
  own: Kysely<Database>;
  /** Rows of any tenant: for what concerns a person who works in several. */
  all: Kysely<Database>;
  /** Whether writers at the same time hold rows against each other, and a query may pass over those (skip locked). */
  locksRows: boolean;
}
