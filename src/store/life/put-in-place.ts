import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DispatchError, failure } from "../../errors/errors.ts";
import { writeNewPrivately } from "../../runtime/private-file.ts";
import { syncFolder } from "../../runtime/sync-folder.ts";
import { connectToRead } from "../sqlite/connect.ts";
import { openConnection, sqliteCodeOf } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";

/** Commands that have the store open usually end within this time. */
const waitMs = 2000;

/** An existing store gets the name `kept`. Throws store_in_use, and store_unreadable for another program's file. */
export function putInPlace(draft: string, file: string, kept: string): void {
  const release = existsSync(file) ? lockOut(file) : () => undefined;
  try {
    if (existsSync(file)) linkSync(file, kept);
    // A damaged or lost store left these files. SQLite would use them with the new store.
    for (const end of ["-wal", "-shm", "-journal"]) {
      if (existsSync(file + end)) renameSync(file + end, kept + end);
    }
    renameSync(draft, file);
    syncFolder(dirname(file));
  } finally {
    release();
  }
}

/** Locks other programs out until the returned function is called. They then open the new file. */
function lockOut(file: string): () => void {
  if (!isReadable(file)) return () => undefined;
  const connection = openConnection(file, { timeout: waitMs });
  try {
    connection.pragma("locking_mode = exclusive");
    // SQLite leaves WAL mode only if no other program has the store open.
    if (connection.pragma("journal_mode = truncate", { simple: true }) === "truncate") {
      rmSync(`${file}-journal`, { force: true });
      return () => void connection.close();
    }
    throw inUse(file);
  } catch (error) {
    connection.close();
    if (sqliteCodeOf(error).startsWith("SQLITE_BUSY")) throw inUse(file, error);
    const known = toStoreError(error, file);
    // A badly damaged file cannot be locked.
    if (known instanceof DispatchError && known.code === "store_unreadable") return () => undefined;
    throw known;
  }
}

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

/** Only its owner can read the file, because a store holds webhook secrets. */
export function createPrivately(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeNewPrivately(file, "");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("store_unreadable", `${file} cannot be made: ${reason}.`, null, error);
  }
}
