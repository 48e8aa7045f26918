import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { DispatchError, failure } from "../../errors/errors.ts";
import { connectToRead, toStoreError } from "../sqlite/sqlite.ts";

/** How long a command that is about to end is waited for. */
const waitMs = 2000;

/**
 * Gives a whole new store the name of one that may be there, in one step; the old one stays under the name `kept`. Throws
 * store_in_use when a program has the old one open, and store_unreadable when it belongs to another program.
 */
export function putInPlace(draft: string, file: string, kept: string): void {
  const release = existsSync(file) ? lockOut(file) : () => undefined;
  try {
    if (existsSync(file)) linkSync(file, kept);
    // Left by a store that is damaged, or gone: SQLite would take them for those of the new one.
    for (const end of ["-wal", "-shm", "-journal"]) {
      if (existsSync(file + end)) renameSync(file + end, kept + end);
    }
    renameSync(draft, file);
    syncFolder(dirname(file));
  } finally {
    release();
  }
}

/**
 * Keeps every other program out of a store until the function that it gives is called. Whoever waits meanwhile finds
 * another file under the name and opens that (see `connect` in sqlite.ts).
 */
function lockOut(file: string): () => void {
  if (!isReadable(file)) return () => undefined;
  const connection = new SqliteDatabase(file, { timeout: waitMs });
  try {
    connection.pragma("locking_mode = exclusive");
    // Only the one program that has a store open can take it out of WAL mode; the log is then in the file and gone. The
    // lock stays, because of the mode before, and with it the journal that was needed.
    if (connection.pragma("journal_mode = truncate", { simple: true }) === "truncate") {
      rmSync(`${file}-journal`, { force: true });
      return () => void connection.close();
    }
    throw inUse(file);
  } catch (error) {
    connection.close();
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY"))
      throw inUse(file, error);
    const known = toStoreError(error, file);
    // Too damaged even to be locked; it is kept as it is.
    if (known instanceof DispatchError && known.code === "store_unreadable") return () => undefined;
    throw known;
  }
}

/** Whether a file is sound enough to be locked. Throws what is another program's, no file, or locked already. */
function isReadable(file: string): boolean {
  if (statSync(file).size === 0) return false;
  try {
    connectToRead(file).close();
    return true;
  } catch (error) {
    if (!(error instanceof DispatchError && error.cause instanceof SqliteDatabase.SqliteError)) throw error;
    if (error.code === "store_unavailable") throw inUse(file, error);
    return false;
  }
}

function inUse(file: string, cause?: unknown) {
  return failure("store_in_use", `Another program has ${file} open; nothing was changed.`, null, cause);
}

/** The names in a folder survive a power cut only when the folder was written. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
