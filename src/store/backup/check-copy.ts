import SqliteDatabase from "better-sqlite3";
import { DispatchError } from "../../errors.ts";
import { toStoreError } from "../sqlite.ts";
import { toDiskFailure } from "./copy-sqlite.ts";

/** What a store's file holds: the last step its tables have had, and the rows of each of them. */
export interface CopyContents {
  schema: number;
  rows: Record<string, number>;
}

/**
 * Reads every page, index and reference of a copy that nobody else works on, and counts its rows. Gives what is wrong as
 * `problem`: a sentence, or null. Throws file_not_written when the disk is full.
 */
export function checkCopy(file: string): CopyContents & { problem: string | null } {
  let connection: SqliteDatabase.Database | undefined;
  try {
    connection = new SqliteDatabase(file, { fileMustExist: true });
    const problem = findProblem(connection);
    const schema = Number(connection.pragma("user_version", { simple: true }));
    return { problem, rows: problem === null ? countRows(connection) : {}, schema };
  } catch (error) {
    const known = toStoreError(error, "its content");
    // Even to be read a store wants room beside it.
    if (known instanceof DispatchError && known.code === "store_unavailable")
      throw toDiskFailure(file, error);
    return { problem: known instanceof Error ? known.message : String(known), rows: {}, schema: 0 };
  } finally {
    connection?.close();
  }
}

function findProblem(connection: SqliteDatabase.Database): string | null {
  const found = connection.pragma("integrity_check(1)", { simple: true });
  if (found !== "ok") return `SQLite finds it damaged: ${String(found).replaceAll("\n", " ")}.`;
  const [orphan] = connection.pragma("foreign_key_check") as {
    table: string;
    parent: string;
    rowid: number;
  }[];
  if (!orphan) return null;
  return `Row ${orphan.rowid} of ${orphan.table} points to a row of ${orphan.parent} that is not there.`;
}

function countRows(connection: SqliteDatabase.Database): Record<string, number> {
  const tables = connection
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[];
  return Object.fromEntries(
    tables.map((table) => [
      table,
      Number(connection.prepare(`select count(*) from "${table}"`).pluck().get()),
    ]),
  );
}
