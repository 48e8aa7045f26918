import { statSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import { DispatchError, failure } from "../../errors/errors.ts";
import type { OpenDatabase, OpenOptions, SharedFile, TenantRows } from "../api.ts";
import { createStoreWaits, LocalHints } from "../api.ts";
import { Condition } from "../condition.ts";
import { migrations, newestSchema } from "../migrations/index.ts";
import type { Database } from "../schema/database.ts";
import { Access } from "./access.ts";
import {
  applicationId,
  type Connected,
  connect,
  connectToRead,
  openImage,
  openMemory,
  schemaOf,
  toImage,
  waitForLocks,
  watchMemory,
} from "./connect.ts";
import type { Connection } from "./connection.ts";
import { isDamage, isLocked, toStoreError } from "./errors.ts";
import { FileIdentity } from "./file-identity.ts";
import { readEveryTable, writeMark } from "./probe.ts";
import { type RevisionWatch, watchRevision } from "./revision.ts";
import { createTransactions, shortenLog, toSharedQueries } from "./transactions.ts";
import { upgradeWithCopy } from "./upgrade-copy.ts";

/** Opens and migrates a file, and keeps a copy of an older one. A read-only file is read through a copy. */
export function openSqlite(file: string, options: OpenOptions = {}): OpenDatabase {
  const { inMemory, isBulk = false, onWait = () => undefined } = options;
  const { connection, isCopy } = openConnection(file, options);
  const isFile = !isCopy && !inMemory;
  const condition = new Condition((error) => !error.cause || isLocked(error));
  const identity = new FileIdentity(isFile ? file : null, (lost) => condition.note("file", lost));
  const waits = createStoreWaits();
  const watchFile = () => watchRevision(file, connection, () => identity.requireNow());
  const watch = isFile ? watchFile() : inMemory ? watchMemory(connection) : frozen;
  const access = new Access(connection, {
    identity,
    onFault: (error) => noteDamage(condition, error),
    afterWrite: () => watch.forget(),
    onWait,
    waits,
    ...(isFile && isServed(options) && { openSecond: () => openSecond(file) }),
  });
  const db = toSharedQueries(access);
  const transactions = createTransactions(access, {
    isBulk,
    writerWaits: waits.writer,
    afterCommit: () => identity.requireNow(),
    ...(options.isReadOnly && { afterRead: () => shortenLog(connection, file) }),
  });
  const close = async () => {
    await transactions.idle();
    watch.close();
    if (isBulk && isFile) bringToDisk(connection, file);
    access.close();
    connection.close();
  };
  return {
    db,
    // After the file was lost, no cache is valid.
    revision: (tenantId, isFresh) => (identity.lost ? null : watch.current(tenantId, isFresh)),
    sharedRevision: () => (identity.lost ? null : watch.current(null)),
    direct: () => toRows(transactions.relaxed),
    read: (_tenantId, work) => transactions.read((queries) => work(toRows(queries))),
    readAll: (work) => transactions.read((queries) => work(toRows(queries))),
    write: (tenantId, work) =>
      condition.noteWrite(transactions.write(tenantId, (queries) => work(toRows(queries)), false)),
    writeRelaxed: (tenantId, work) =>
      condition.noteWrite(transactions.write(tenantId, (queries) => work(toRows(queries)), true)),
    waitForWriters: async () => undefined,
    hints: new LocalHints(),
    databaseMs: async () => null,
    check: () => check(db),
    probe: async () => {
      await readEveryTable(access);
      if (!inMemory) await condition.noteWrite(writeMark(access, identity, file));
    },
    standbyLagMs: () => null,
    fault: () => (identity.lost ? { check: "file", error: identity.lost } : condition.fault),
    onFault: (listener) => condition.onChange(listener),
    activity: () => ({ ...access.activity, writersWaiting: transactions.writersWaiting() }),
    sequences: async () => Object.fromEntries((await readSequences(db)).map(({ name, seq }) => [name, seq])),
    raiseSequences: (last) => raiseSequences(db, last),
    sharedFile: () => (isFile ? findShared(file, identity) : null),
    image: (bytesMax) => access.read(async (_, reading) => toImage(reading, bytesMax)),
    close,
  };
}

function openConnection(file: string, options: OpenOptions): Connected {
  if (options.inMemory) return openInMemory(options.inMemory.image);
  return options.isReadOnly ? openBeside(file) : openFile(file, options);
}

function openInMemory(image: Uint8Array | null): Connected {
  const connection = image === null ? openMemory() : openImage(image);
  migrate(connection, "The store in memory", false);
  return { connection, isCopy: false };
}

function findShared(file: string, identity: FileIdentity): SharedFile | null {
  try {
    identity.requireNow();
    return { path: file, bytes: statSync(file).size };
  } catch {
    return null;
  }
}

/** Opens a second connection for reading. Throws store_unreadable if the name leads to another file. */
function openBeside(file: string): Connected {
  const connected = connect(file, { create: false });
  const { connection, isCopy } = connected;
  connection.pragma("query_only = on");
  connection.pragma("busy_timeout = 0");
  if (!isCopy && schemaOf(connection) === newestSchema) return connected;
  connection.close();
  throw failure("store_unreadable", `${file} cannot be opened once more.`);
}

/** A thread that only reads has no writers, and a bulk load has no readers. */
function isServed({ isBulk = false, isReadOnly = false }: OpenOptions): boolean {
  return !isBulk && !isReadOnly;
}

function noteDamage(condition: Condition, error: unknown): void {
  if (error instanceof DispatchError && isDamage(error)) condition.note("damage", error);
}

async function check(db: Kysely<Database>): Promise<readonly string[]> {
  await sql`select id from tenants limit 1`.execute(db);
  return [];
}

function openSecond(file: string): Connection | null {
  try {
    return openBeside(file).connection;
  } catch {
    return null;
  }
}

function openFile(file: string, { create = false, onWait }: OpenOptions): Connected {
  const connected = connect(file, { create, onWait });
  const { connection, isCopy } = connected;
  try {
    waitForLocks(connection, onWait, () => migrate(connection, file, isCopy));
    // From here, `Access` waits for locks while others work.
    connection.pragma("busy_timeout = 0");
    if (isCopy) connection.pragma("query_only = on");
    return connected;
  } catch (error) {
    connection.close();
    throw toStoreError(error, file);
  }
}

/** SQLite has one writer at a time, so no other transaction locks rows. */
const toRows = (own: Kysely<Database>): TenantRows => ({
  own,
  all: own,
  combinesInserts: false,
  keepsCounts: true,
  last: async (query, take) => take((await own.executeQuery(query)).rows),
  locksRows: false,
});

const frozen: RevisionWatch = { current: () => 0, forget: () => undefined, close: () => undefined };

async function readSequences(db: Kysely<Database>) {
  return (await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db)).rows;
}

async function raiseSequences(db: Kysely<Database>, last: Record<string, number>): Promise<void> {
  for (const [name, seq] of Object.entries(last)) await raiseSequence(db, name, seq);
}

async function raiseSequence(db: Kysely<Database>, name: string, seq: number): Promise<void> {
  await sql`insert into sqlite_sequence (name, seq) select ${name}, 0
    where not exists (select 1 from sqlite_sequence where name = ${name})`.execute(db);
  await sql`update sqlite_sequence set seq = max(seq, ${seq}) where name = ${name}`.execute(db);
}

export function readSqliteSchema(file: string): number {
  const connection = connectToRead(file);
  const schema = schemaOf(connection);
  connection.close();
  return schema;
}

/** A checkpoint begins by syncing the log. Readers may prevent the rest. */
function bringToDisk(connection: Connection, file: string): void {
  try {
    if (connection.open) connection.pragma("wal_checkpoint(PASSIVE)");
  } catch (error) {
    throw toStoreError(error, file);
  }
}

export function toReadOnlyQueries(connection: Connection): Kysely<Database> {
  return toSharedQueries(new Access(connection, { identity: new FileIdentity(null) }));
}

function migrate(connection: Connection, file: string, isCopy: boolean): void {
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
  if (before > 0 && !isCopy) upgradeWithCopy(connection, file, before, upgrade);
  // Immediate: if several processes create a store, one creates its tables, and the others wait and find them.
  else connection.transaction(upgrade).immediate();
  // An older program may have migrated first, and less far.
  if (schemaOf(connection) < newestSchema) migrate(connection, file, isCopy);
}
