import SqliteDatabase from "better-sqlite3";
import { type Hold, toHoldText } from "../held-deliveries.ts";
import { heldMark } from "../queries/metadata.ts";
import { toDiskFailure } from "./copy-sqlite.ts";

/**
 * Holds the deliveries in a copy of a store that nobody has open, whatever schema it has. Throws file_not_written when
 * the disk is full.
 */
export function holdCopy(file: string, hold: Hold): void {
  const connection = new SqliteDatabase(file, { fileMustExist: true });
  try {
    connection
      .prepare(
        "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
      )
      .run(heldMark, toHoldText(hold));
  } catch (error) {
    throw toDiskFailure(file, error);
  } finally {
    connection.close();
  }
}
