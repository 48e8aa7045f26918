import { existsSync, statSync } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { Connection } from "./connection.ts";
import { openConnection } from "./driver.ts";
import { isLocked, toStoreError } from "./errors.ts";
import { isReadOnlyPlace, openPrivateCopy } from "./private-copy.ts";
import type { RevisionWatch } from "./revision.ts";

/** The longest wait for another process's lock on the file, in milliseconds. */
export const lockWaitMsMax = 10_000;

/** After this wait, in milliseconds, the program explains it on a terminal. */
export const noticeAfterMs = 1000;

/** Marks a SQLite file as a store ("dspc"), so that the program never migrates another file. */
export const applicationId = 0x64737063;

export interface Connected {
  connection: Connection;
  /** The folder is read-only, so the connection uses a temporary copy. */
  isCopy: boolean;
}

interface ConnectOptions {
  create: boolean;
  onWait?: (() => void) | undefined;
}

/** Opens a file again if a restore has replaced it during the wait for locks. */
export function connect(file: string, options: ConnectOptions): Connected {
  if (!options.create || existsSync(file)) requireFile(file);
  for (;;) {
    const connected = connectOnce(file, options);
    if (connected) return connected;
  }
}

export function connectToRead(file: string): Connection {
  requireFile(file);
  let connection: Connection | undefined;
  try {
    // SQLite's own read-only mode would leave its log and index behind.
    connection = open(file, lockWaitMsMax).connection;
    connection.pragma("query_only = on");
    checkOwnership(connection, file);
    requireTables(connection, file);
    return connection;
  } catch (error) {
    connection?.close();
    throw toStoreError(error, file);
  }
}

/** SQLite's wait blocks the thread: only for use before the process serves. `work` may run again. */
export function waitForLocks<T>(connection: Connection, onWait: (() => void) | undefined, work: () => T): T {
  connection.pragma(`busy_timeout = ${noticeAfterMs}`);
  try {
    return work();
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
  onWait?.();
  connection.pragma(`busy_timeout = ${lockWaitMsMax - noticeAfterMs}`);
  return work();
}

export function schemaOf(connection: Connection): number {
  return Number(connection.pragma("user_version", { simple: true }));
}

function connectOnce(file: string, { create, onWait }: ConnectOptions): Connected | undefined {
  const inode = inodeOf(file);
  let connected: Connected | undefined;
  try {
    connected = open(file, 0);
    const { connection, isCopy } = connected;
    const isSame = waitForLocks(connection, onWait, () => {
      checkOwnership(connection, file);
      // Checked before any write: SQLite would use the log with the file that has the name now.
      if (inode !== undefined && inodeOf(file) !== inode) return false;
      if (!create) requireTables(connection, file);
      if (isCopy) return true;
      connection.pragma("journal_mode = WAL");
      // FULL: an acknowledged write survives a power cut, not only a crash of the program.
      connection.pragma("synchronous = FULL");
      connection.pragma("foreign_keys = ON");
      // Erased data must not stay readable in the file.
      connection.pragma("secure_delete = ON");
      return true;
    });
    if (isSame) return connected;
    connection.close();
    return undefined;
  } catch (error) {
    connected?.connection.close();
    throw toStoreError(error, file);
  }
}

function open(file: string, timeout: number): Connected {
  if (existsSync(file) && isReadOnlyPlace(file)) return { connection: openPrivateCopy(file), isCopy: true };
  return { connection: openConnection(file, { timeout }), isCopy: false };
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** Opening a pipe or another special file could wait for ever. */
function requireFile(file: string): void {
  try {
    if (statSync(file).isFile()) return;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw failure("store_not_found", `There is no store at ${file}.`, null, error);
    const reason = describeFileError(error, "it is not there");
    throw failure("store_unreadable", `${file} cannot be opened: ${reason}.`, null, error);
  }
  throw failure("store_unreadable", `${file} is not a regular file, so it cannot hold a store.`);
}

function requireTables(connection: Connection, file: string): void {
  if (schemaOf(connection) > 0) return;
  throw failure("store_unreadable", `${file} is empty: it does not hold a store.`);
}

function checkOwnership(connection: Connection, file: string): void {
  const isEmpty = connection.prepare("select count(*) from sqlite_schema").pluck().get() === 0;
  if (isEmpty) return;
  const owner = connection.pragma("application_id", { simple: true });
  if (owner !== applicationId) {
    throw failure("store_unreadable", `${file} is a SQLite file, but not a store of dispatch-cli.`);
  }
}

export function openMemory(): Connection {
  return prepare(openConnection(":memory:"));
}

export function openImage(image: Uint8Array): Connection {
  return prepare(openConnection(Buffer.from(image.buffer, image.byteOffset, image.byteLength)));
}

function prepare(connection: Connection): Connection {
  connection.pragma("foreign_keys = ON");
  return connection;
}

export function toImage(connection: Connection, bytesMax: number): Uint8Array | null {
  const pages = Number(connection.pragma("page_count", { simple: true }));
  const pageBytes = Number(connection.pragma("page_size", { simple: true }));
  if (pages * pageBytes > bytesMax) return null;
  const image = connection.serialize();
  // These header bytes select the rollback journal: a database in memory cannot use WAL.
  image.fill(1, 18, 20);
  return image;
}

/** Only this process writes, so SQLite's count of changed rows reveals its commits. */
export function watchMemory(connection: Connection): RevisionWatch {
  const countChanges = connection.prepare<[], number>("select total_changes()").pluck();
  return {
    current: () => (connection.open ? (countChanges.get() ?? null) : null),
    forget: () => undefined,
    close: () => undefined,
  };
}
