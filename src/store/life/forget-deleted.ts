import { failure } from "../../errors/errors.ts";
import { lockWaitMsMax } from "../sqlite/connect.ts";
import { openConnection } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";

/**
 * Rewrites a store's file so that nothing of what was deleted or replaced is left in it or in its log. The file must have
 * room for a second copy. Throws store_unavailable while others read or write it for longer than 10 s.
 */
export function forgetDeleted(file: string): void {
  const connection = openConnection(file, { fileMustExist: true, timeout: lockWaitMsMax });
  try {
    connection.pragma("secure_delete = on");
    connection.exec("vacuum");
    const [row] = connection.pragma("wal_checkpoint(truncate)") as { busy: number }[];
    if (row?.busy === 0) return;
    throw failure(
      "store_unavailable",
      `The log of ${file} is in use by another program, and was not emptied.`,
    );
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    connection.close();
  }
}
