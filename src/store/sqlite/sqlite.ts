import { existsSync, statSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { type Kysely, sql } from "kysely";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { OpenDatabase, OpenOptions, TenantRows } from "../api.ts";
import { migrations, newestSchema } from "../migrations/index.ts";
import type { Database } from "../schema/database.ts";
import { toStoreError } from "./errors.ts";
import { toSharedQueries } from "./queries.ts";
import { watchRevision } from "./revision.ts";
import { Statements } from "./statements.ts";
import { createTransactions } from "./transactions.ts";
import { Turns } from "./turns.ts";
import { upgradeWithCopy } from "./upgrade-copy.ts";

/** Marks a SQLite file as a store of this program ("dspc"), so that the program never migrates another file. */
const applicationId = 0x64737063;

/** How long a writer waits for another process's transaction, in milliseconds. */
const busyTimeoutMs = 10_000;

/**
 * Opens a store file and migrates its tables; before that it keeps a copy of the file beside it.
 * `create` makes the file; without it a missing file is an error. Throws store_not_found or store_unreadable.
 */
export function openSqlite(file: string, options: OpenOptions = {}): OpenDatabase {
  const { create = false, isBulk = false } = options;
  if (!create || existsSync(file)) requireFile(file);
  const connection = connect(file, create);
  try {
    migrate(connection, file);
  } catch (error) {
    connection.close();
    throw toStoreError(error, file);
  }
  const statements = new Statements(connection);
  const turns = new Turns();
  const db = toSharedQueries(statements, turns);
  const transactions = createTransactions(statements, turns, isBulk);
  const watch = watchRevision(file);
  const close = async () => {
    await transactions.idle();
    watch.close();
    if (isBulk) bringToDisk(connection, file);
    connection.close();
  };
  // A SQLite writer is alone, so no other transaction can have locked rows.
  const toRows = (own: Kysely<Database>): TenantRows => ({
    own,
    all: own,
    combinesInserts: false,
    keepsCounts: true,
    last: async (query, take) => take((await own.executeQuery(query)).rows),
    locksRows: false,
  });
  return {
    db,
    revision: (tenantId) => watch.current(tenantId),
    sharedRevision: () => watch.current(null),
    direct: () => toRows(transactions.relaxed),
    read: (_tenantId, work) => transactions.read((queries) => work(toRows(queries))),
    write: (_tenantId, work) => transactions.write((queries) => work(toRows(queries)), false),
    writeRelaxed: (_tenantId, work) => transactions.write((queries) => work(toRows(queries)), true),
    check: async () => {
      await sql`select id from tenants limit 1`.execute(db);
      return [];
    },
    // A read-only file could not have been opened. Trying a write would mean waiting for another writer.
    checkWrites: async () => undefined,
    sequences: async () => Object.fromEntries((await readSequences(db)).map(({ name, seq }) => [name, seq])),
    raiseSequences: async (last) => {
      for (const [name, seq] of Object.entries(last)) await raiseSequence(db, name, seq);
    },
    close,
  };
}

async function readSequences(db: Kysely<Database>) {
  return (await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db)).rows;
}

/** Changes SQLite's own table for AUTOINCREMENT, which lists a table once it has had a row. */
async function raiseSequence(db: Kysely<Database>, name: string, seq: number): Promise<void> {
  await sql`insert into sqlite_sequence (name, seq) select ${name}, 0
    where not exists (select 1 from sqlite_sequence where name = ${name})`.execute(db);
  await sql`update sqlite_sequence set seq = max(seq, ${seq}) where name = ${name}`.execute(db);
}

/** The last migration of a store file's tables; changes nothing. Throws store_not_found and store_unreadable. */
export function readSqliteSchema(file: string): number {
  const connection = connectToRead(file);
  const schema = schemaOf(connection);
  connection.close();
  return schema;
}

/** Opens a store's file of any schema without changing it. Throws store_not_found and store_unreadable. */
export function connectToRead(file: string): SqliteDatabase.Database {
  requireFile(file);
  let connection: SqliteDatabase.Database | undefined;
  try {
    // Not SQLite's own read-only mode: such a connection leaves its log and index behind.
    connection = new SqliteDatabase(file, { fileMustExist: true, timeout: busyTimeoutMs });
    connection.pragma("query_only = on");
    checkOwnership(connection, file);
    requireTables(connection, file);
    return connection;
  } catch (error) {
    connection?.close();
    throw toStoreError(error, file);
  }
}

/** Syncs the log to the disk, which is how a checkpoint begins. Readers may keep the rest of it from being done. */
function bringToDisk(connection: SqliteDatabase.Database, file: string): void {
  try {
    if (connection.open) connection.pragma("wal_checkpoint(PASSIVE)");
  } catch (error) {
    throw toStoreError(error, file);
  }
}

/** The queries of a connection that `connectToRead` made. */
export function toReadOnlyQueries(connection: SqliteDatabase.Database): Kysely<Database> {
  return toSharedQueries(new Statements(connection), new Turns());
}

/** Throws unless `file` is a regular file: opening others, such as a pipe, could wait for ever. */
function requireFile(file: string): void {
  try {
    if (statSync(file).isFile()) return;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw failure("store_not_found", `There is no store at ${file}.`, null, error);
    const reason = describeFileError(error, "it is not there");
    throw failure("store_unreadable", `${file} cannot be opened: ${reason}.`, null, error);
  }
  throw failure("store_unreadable", `${file} is no file that could hold a store.`);
}

/** Refuses an empty file: only a caller who makes a store may take it for one. */
function requireTables(connection: SqliteDatabase.Database, file: string): void {
  if (schemaOf(connection) > 0) return;
  throw failure("store_unreadable", `${file} is empty: there is no store in it.`);
}

/** Opens the file; once more when another file took its place (a restore) while this program waited. */
function connect(file: string, create: boolean): SqliteDatabase.Database {
  for (;;) {
    const connection = connectOnce(file, create, inodeOf(file));
    if (connection) return connection;
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

function connectOnce(
  file: string,
  create: boolean,
  inode: number | undefined,
): SqliteDatabase.Database | undefined {
  let connection: SqliteDatabase.Database | undefined;
  try {
    connection = new SqliteDatabase(file, { timeout: busyTimeoutMs });
    checkOwnership(connection, file);
    // Checked before anything is written: SQLite would take the log for that of the file that has the name now.
    if (inode !== undefined && inodeOf(file) !== inode) {
      connection.close();
      return undefined;
    }
    if (!create) requireTables(connection, file);
    connection.pragma("journal_mode = WAL");
    // FULL: an acknowledged write survives a power cut, not only a crash of the program.
    connection.pragma("synchronous = FULL");
    connection.pragma("foreign_keys = ON");
    return connection;
  } catch (error) {
    connection?.close();
    throw toStoreError(error, file);
  }
}

function checkOwnership(connection: SqliteDatabase.Database, file: string): void {
  const isEmpty = connection.prepare("select count(*) from sqlite_schema").pluck().get() === 0;
  if (isEmpty) return;
  const owner = connection.pragma("application_id", { simple: true });
  if (owner !== applicationId) {
    throw failure("store_unreadable", `${file} is a SQLite file, but no store of dispatch-cli.`);
  }
}

function migrate(connection: SqliteDatabase.Database, file: string): void {
  const before = schemaOf(connection);
  if (before > newestSchema) {
    throw failure(
      "store_unreadable",
      `${file} has schema ${before}; this program knows ${newestSchema}. Use a newer dispatch-cli.`,
    );
  }
  if (before === newestSchema) return;
  const upgrade = () => {
    for (const migration of migrations.slice(schemaOf(connection))) connection.exec(migration.sqlite);
    connection.pragma(`application_id = ${applicationId}`);
    connection.pragma(`user_version = ${newestSchema}`);
  };
  if (before > 0) upgradeWithCopy(connection, file, before, upgrade);
  // Immediate: when several processes make a store at once, one makes its tables; the others wait and find them.
  else connection.transaction(upgrade).immediate();
  // An older program may have been quicker, and gone less far.
  if (schemaOf(connection) < newestSchema) migrate(connection, file);
}

function schemaOf(connection: SqliteDatabase.Database): number {
  return Number(connection.pragma("user_version", { simple: true }));
}
