import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DispatchError, failure } from "../../errors/errors.ts";
import { writeNewPrivately } from "../../runtime/private-file.ts";
import { syncFolder } from "../../runtime/sync-folder.ts";
import { connectToRead } from "../sqlite/connect.ts";
import { openConnection, sqliteCodeOf } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";

/** A command that has the store open may end within this time. */
const waitMs = 2000;

/**
 * Gives a complete new store the name `file` in one step. An existing store of that name stays under the name `kept`.
 * Throws store_in_use if a program has it open, and store_unreadable if it belongs to another program.
 */
export function putInPlace(draft: string, file: string, kept: string): void {
  const release = existsSync(file) ? lockOut(file) : () => undefined;
  try {
    if (existsSync(file)) linkSync(file, kept);
    // A damaged or lost store left these; SQLite would use them with the new store.
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
 * Locks every other program out of a store until the returned function is called. A waiting program then finds another
 * file under the name and opens that one (`connect` in connect.ts).
 */
function lockOut(file: string): () => void {
  if (!isReadable(file)) return () => undefined;
  const connection = openConnection(file, { timeout: waitMs });
  try {
    connection.pragma("locking_mode = exclusive");
    // A program can take a store out of WAL mode only if no other has it open; that writes the log into the file.
    // Because of the locking mode, the lock stays.
    if (connection.pragma("journal_mode = truncate", { simple: true }) === "truncate") {
      rmSync(`${file}-journal`, { force: true });
      return () => void connection.close();
    }
    throw inUse(file);
  } catch (error) {
    connection.close();
    if (sqliteCodeOf(error).startsWith("SQLITE_BUSY")) throw inUse(file, error);
    const known = toStoreError(error, file);
    // A file that is too damaged to be locked stays.
    if (known instanceof DispatchError && known.code === "store_unreadable") return () => undefined;
    throw known;
  }
}

/**
 * Whether a file is intact enough to be locked. Throws for another program's file, for a missing one, and for a locked
 * one.
 */
function isReadable(file: string): boolean {
  if (statSync(file).size === 0) return false;
  try {
    connectToRead(file).close();
    return true;
  } catch (error) {
    if (!(error instanceof DispatchError) || sqliteCodeOf(error.cause) === "") throw error;
    if (error.code === "store_unavailable") throw inUse(file, error);
    return false;
  }
}

function inUse(file: string, cause?: unknown) {
  return failure("store_in_use", `Another program has ${file} open; nothing was changed.`, null, cause);
}

/** Creates an empty file that only its owner can read: a store holds webhook secrets. */
export function createPrivately(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeNewPrivately(file, "");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("store_unreadable", `${file} cannot be made: ${reason}.`, null, error);
  }
}
