import type { DispatchError } from "../../errors/errors.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import { writeNewPrivately } from "../../runtime/private-file.ts";
import { connectToRead } from "../sqlite/connect.ts";
import { openConnection, sqliteCodeOf } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";
import { type Hold, toHoldText } from "../held-deliveries.ts";
import { heldMark } from "../metadata-keys.ts";

/** Pages of 4 KiB in a step: enough to be quick, and few enough for an interruption to be noticed soon. */
const pagesAStep = 2000;

/**
 * Copies a store's file, as it is at this moment, into a new file; others may write to it meanwhile. Calls `report` with
 * the part that is done, from 0 to 1; it may throw to end the copy. Throws store_not_found, store_unreadable,
 * store_unavailable and file_not_written.
 */
export async function copySqlite(file: string, to: string, report: (done: number) => void): Promise<void> {
  const connection = connectToRead(file);
  try {
    createEmpty(to);
    // Within a transaction every step reads the same state. Without it SQLite begins anew whenever another process has
    // written between two steps, and never ends while a server works.
    connection.exec("begin");
    connection.prepare("select count(*) from sqlite_schema").get();
    await connection.backup(to, {
      progress: ({ remainingPages, totalPages }) => {
        report(totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
        return pagesAStep;
      },
    });
    connection.exec("commit");
  } catch (error) {
    throw isWriteFault(error) ? toDiskFailure(to, error) : toStoreError(error, file);
  } finally {
    connection.close();
  }
}

/** Only a copy is written to, so a fault of writing is not the store's. */
export function isWriteFault(error: unknown): boolean {
  return /^SQLITE_(?:FULL|IOERR_(?!READ|SHORT))/.test(sqliteCodeOf(error));
}

/** SQLite's errors for a copy that cannot be written. */
export function toDiskFailure(file: string, cause: unknown): DispatchError {
  return toWriteFailure(file, Object.assign(new Error("The disk is full.", { cause }), { code: "ENOSPC" }));
}

/** Makes the file for its owner only, because it will hold secrets; SQLite fills an existing file. */
function createEmpty(file: string): void {
  try {
    writeNewPrivately(file, "");
  } catch (error) {
    throw toWriteFailure(file, error);
  }
}

/**
 * Holds the deliveries in a copy of a store that nobody has open, whatever schema it has. Throws file_not_written when
 * the disk is full, and what else is wrong with the copy as it is.
 */
export function holdCopy(file: string, hold: Hold): void {
  const connection = openConnection(file, { fileMustExist: true });
  try {
    connection
      .prepare(
        "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
      )
      .run(heldMark, toHoldText(hold));
  } catch (error) {
    throw isWriteFault(error) ? toDiskFailure(file, error) : toStoreError(error, file);
  } finally {
    connection.close();
  }
}
