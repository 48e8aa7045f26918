import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { Database } from "../schema/database.ts";

/**
 * Runs `work` on the connection of a store file with commits that do not wait for the disk. The commits survive a crash
 * of the program, but not a power cut within the next moments; the file stays intact in any case.
 */
export function writeRelaxed<T>(
  db: Kysely<Database>,
  work: (connection: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}

/** Queries whose statements each commit by themselves in that way. */
export function toRelaxedKysely(db: Kysely<Database>): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new RelaxedDriver(db),
      createIntrospector: (relaxed) => new SqliteIntrospector(relaxed),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Takes the one connection for each statement and gives it back, so that others may write between two statements. */
class RelaxedDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(db: Kysely<Database>) {
    this.#connection = {
      executeQuery: <R>(query: CompiledQuery) =>
        writeRelaxed(db, (connection) => connection.executeQuery(query) as Promise<QueryResult<R>>),
      // biome-ignore lint/correctness/useYield: nobody reads rows one by one here.
      streamQuery: async function* () {
        throw new Error("Rows are not streamed here.");
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  beginTransaction(): Promise<void> {
    return refuseTransaction();
  }

  commitTransaction(): Promise<void> {
    return refuseTransaction();
  }

  rollbackTransaction(): Promise<void> {
    return refuseTransaction();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

async function refuseTransaction(): Promise<never> {
  throw new Error("Each statement commits by itself here.");
}
