import SqliteDatabase from "better-sqlite3";
import { builtInCodeOf, loadBuiltIn, type OpenBuiltIn } from "./built-in-driver.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";
import { toMissingDriver } from "./missing-driver.ts";

/**
 * Opens a file, `:memory:`, or an image in memory. Uses better-sqlite3, and where its compiled part cannot be loaded the
 * SQLite that Node 22.16 and later bring (OP-350). Throws sqlite_driver_missing where there is neither.
 */
export function openConnection(place: string | Buffer, options: ConnectionOptions = {}): Connection {
  if (openBuiltIn) return openBuiltIn(place, options);
  try {
    return new SqliteDatabase(place, options);
  } catch (error) {
    if (!isLoadError(error)) throw error;
    openBuiltIn = loadBuiltIn();
    if (!openBuiltIn) throw toMissingDriver(error);
    return openBuiltIn(place, options);
  }
}

/** Which driver opens files in this process, and its version of SQLite. Throws sqlite_driver_missing. */
export function describeDriver(): string {
  const connection = openConnection(":memory:");
  const version = connection.prepare<[], string>("select sqlite_version()").pluck().get();
  connection.close();
  return `${openBuiltIn ? "node:sqlite" : "better-sqlite3"}, SQLite ${version}`;
}

/** SQLite's name of an error's code, such as SQLITE_BUSY; empty for errors that are not SQLite's. */
export function sqliteCodeOf(error: unknown): string {
  if (error instanceof SqliteDatabase.SqliteError) return error.code;
  return builtInCodeOf(error);
}

/** Once it is known that better-sqlite3 cannot be loaded. */
let openBuiltIn: OpenBuiltIn | undefined;

function isLoadError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : "";
  return (
    code === "MODULE_NOT_FOUND" ||
    code === "ERR_DLOPEN_FAILED" ||
    error.message.startsWith("Could not locate the bindings file")
  );
}
