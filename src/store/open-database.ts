import type { OpenDatabase, OpenOptions } from "./api.ts";
import { isPostgresAddress } from "./postgres/address.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

/** `data` is a PostgreSQL address or a file. A file opens now, a server with the first query. */
export function openDatabase(data: string, options: OpenOptions = {}): OpenDatabase {
  return isPostgresAddress(data) ? openPostgres(data, options) : openSqlite(data, options);
}
