import type { DispatchError } from "../../errors/errors.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import { writeNewPrivately } from "../../runtime/private-file.ts";
import { type Hold, toHoldText } from "../held-deliveries.ts";
import { heldMark } from "../metadata-keys.ts";
import { connectToRead } from "../sqlite/connect.ts";
import { openConnection, sqliteCodeOf } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";

/** In pages of 4 KiB: fast, and soon interrupted. */
const pagesAStep = 2000;

/** Copies a file while programs write to it. `report` gets the finished part (0 to 1) and may throw to stop. */
export async function copySqlite(file: string, to: string, report: (done: number) => void): Promise<void> {
  const connection = connectToRead(file);
  try {
    createEmpty(to);
    // One snapshot for all steps. Otherwise SQLite starts over after each write of another process.
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

export function isWriteFault(error: unknown): boolean {
  return /^SQLITE_(?:FULL|IOERR_(?!READ|SHORT))/.test(sqliteCodeOf(error));
}

export function toDiskFailure(file: string, cause: unknown): DispatchError {
  return toWriteFailure(file, Object.assign(new Error("The disk is full.", { cause }), { code: "ENOSPC" }));
}

/** Only its owner can read the file, which will hold secrets. SQLite accepts an existing empty file. */
function createEmpty(file: string): void {
  try {
    writeNewPrivately(file, "");
  } catch (error) {
    throw toWriteFailure(file, error);
  }
}

/** The copy is closed and may have any schema. Throws file_not_written on a full disk, and the faults of the copy. */
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
