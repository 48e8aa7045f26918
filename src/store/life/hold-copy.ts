import { type Hold, toHoldText } from "../held-deliveries.ts";
import { heldMark } from "../metadata-keys.ts";
import { openConnection } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";
import { isWriteFault, toDiskFailure } from "./copy-sqlite.ts";

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
