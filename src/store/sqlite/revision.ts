import SqliteDatabase from "better-sqlite3";

/** Tells whether anybody has committed to a store file since it was last asked. */
export interface RevisionWatch {
  /** Another number after each commit of any process, this one included; null when the file cannot be read. */
  current(): number | null;
  close(): void;
}

/**
 * Watches a store file on a connection of its own. SQLite counts the commits of others per connection, and this one
 * commits nothing and holds no transaction, so it sees every commit at once. To ask takes 3 µs, against 60 µs for a
 * query of the smallest kind. The connection opens with the first question, because most commands never ask.
 */
export function watchRevision(file: string): RevisionWatch {
  let connection: SqliteDatabase.Database | undefined;
  let statement: SqliteDatabase.Statement<[], number> | undefined;
  return {
    current() {
      try {
        connection ??= new SqliteDatabase(file, { fileMustExist: true });
        statement ??= connection.prepare<[], number>("pragma data_version").pluck();
        return statement.get() ?? null;
      } catch {
        // Who then asks the store itself is told what is wrong with it.
        return null;
      }
    },
    close: () => void connection?.close(),
  };
}
