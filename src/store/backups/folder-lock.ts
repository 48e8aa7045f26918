import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { failure } from "../../errors/errors.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import { openConnection, sqliteCodeOf } from "../sqlite/driver.ts";

/** An empty file that is locked while a backup is made. It stays: what is deleted cannot be locked. */
const lockName = ".backup.lock";

/**
 * Locks a folder of backups until the function that it gives is called, or the program ends in whatever way; null when
 * another has it locked. Throws file_not_written, or a usage error for a folder that is not there.
 */
export function lockFolder(folder: string): (() => void) | null {
  // Not made: on a disk that is not mounted it would be a folder of another.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw failure("usage", `${folder} is no folder. Make it first, for its owner only: \`mkdir -m 700\`.`);
  const file = join(folder, lockName);
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw toWriteFailure(file, error);
  }
  // The system's lock of a file, as SQLite takes it: unlike a file with a process id it ends with the process.
  const connection = openConnection(file, { timeout: 0 });
  try {
    // Nothing is written, so a full disk hinders nobody. `off` would not be taken.
    connection.pragma("journal_mode = memory");
    connection.exec("begin exclusive");
    return () => void connection.close();
  } catch (error) {
    connection.close();
    if (sqliteCodeOf(error).startsWith("SQLITE_BUSY")) return null;
    throw toWriteFailure(file, error);
  }
}
