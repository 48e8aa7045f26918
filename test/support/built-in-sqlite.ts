import { loadBuiltIn } from "../../src/store/sqlite/built-in-driver.ts";
import type { Connection, ConnectionOptions } from "../../src/store/sqlite/connection.ts";

/** Replaces better-sqlite3: the program finds it missing, and tests use Node's SQLite. */
export default function BetterSqlite(place: string | Buffer, options: ConnectionOptions = {}): Connection {
  if (new Error().stack?.includes("/src/store/sqlite/driver.ts"))
    throw Object.assign(new Error("Cannot find module 'better_sqlite3.node'"), { code: "MODULE_NOT_FOUND" });
  const open = loadBuiltIn();
  if (!open) throw new Error("This Node brings no SQLite that could be used: 22.16 or later does.");
  return open(place, options);
}

BetterSqlite.SqliteError = class SqliteError extends Error {
  code = "";
};
