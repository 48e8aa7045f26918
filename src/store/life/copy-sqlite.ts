import type { DispatchError } from "../../errors/errors.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import { writeNewPrivately } from "../../runtime/private-file.ts";
import { type Hold, toHoldText } from "../held-deliveries.ts";
import { heldMark } from "../metadata-keys.ts";
import { connectToRead } from "../sqlite/connect.ts";
import { openConnection, sqliteCodeOf } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";

/** Pages of 4 KiB in a step: enough to be fast, and few enough to notice an interruption soon. */
const pagesAStep = 2000;

/**
 * Copies a store's file at this moment into a new file, while others may write to it. Calls `report` with the finished
 * part, from 0 to 1; it may throw to end the copy. Throws store_not_found, store_unreadable, store_unavailable, and
 * file_not_written.
 */
export async function copySqlite(file: string, to: string, report: (done: number) => void): Promise<void> {
  const connection = connectToRead(file);
  try {
    createEmpty(to);
    // Within a transaction every step reads the same state. Without it, SQLite starts over whenever another process has
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

/** Only the copy is written to, so the fault is not the store's. */
export function isWriteFault(error: unknown): boolean {
  return /^SQLITE_(?:FULL|IOERR_(?!READ|SHORT))/.test(sqliteCodeOf(error));
}

export function toDiskFailure(file: string, cause: unknown): DispatchError {
  return toWriteFailure(file, Object.assign(new Error("The disk is full.", { cause }), { code: "ENOSPC" }));
}

/** Only its owner can read the file, because it will hold secrets. SQLite fills an existing file. */
function createEmpty(file: string): void {
  try {
    writeNewPrivately(file, "");
  } catch (error) {
    throw toWriteFailure(file, error);
  }
}

/**
 * Holds the deliveries in a closed copy of any schema. Throws file_not_written when the disk is full, and the faults of
 * the copy.
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
