import type { OpenDatabase, OpenOptions } from "./api.ts";
import { isPostgresAddress } from "./postgres/address.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

/**
 * Opens the database that `data` names: a PostgreSQL address, or else a SQLite file. With `create` it creates missing
 * tables; without it, missing tables are an error. A file opens at once, a server with the first query.
 */
export function openDatabase(data: string, options: OpenOptions = {}): OpenDatabase {
  return isPostgresAddress(data) ? openPostgres(data, options) : openSqlite(data, options);
}
