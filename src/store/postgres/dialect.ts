import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type { Database } from "../schema/database.ts";

export interface StatementConnection {
  run(query: CompiledQuery): Promise<QueryResult<unknown>>;
  begin?(begin: string): Promise<unknown>;
  commit?(): Promise<unknown>;
  rollBack?(): Promise<unknown>;
  release(): void;
}

export function toKysely(acquire: () => Promise<StatementConnection>): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ConnectionDriver(acquire),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

export function toKyselyOn(run: StatementConnection["run"]): Kysely<Database> {
  return toKysely(async () => ({ run, release: () => undefined }));
}

class ConnectionDriver implements Driver {
  readonly #acquire: () => Promise<StatementConnection>;

  constructor(acquire: () => Promise<StatementConnection>) {
    this.#acquire = acquire;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<KyselyConnection> {
    return new KyselyConnection(await this.#acquire());
  }

  // Transactions on rows of any tenant; transactions.ts begins those of one tenant.
  async beginTransaction(connection: KyselyConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : "";
    if (!connection.statements.begin) throw new Error("This connection is part of a transaction already.");
    await connection.statements.begin(`begin${level} ${settings.accessMode ?? "read write"}`);
  }

  async commitTransaction(connection: KyselyConnection): Promise<void> {
    await connection.statements.commit?.();
  }

  async rollbackTransaction(connection: KyselyConnection): Promise<void> {
    await connection.statements.rollBack?.();
  }

  async releaseConnection(connection: KyselyConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {}
}

class KyselyConnection implements DatabaseConnection {
  readonly statements: StatementConnection;

  constructor(statements: StatementConnection) {
    this.statements = statements;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Kysely types rows by the query; the driver does not know them.
    return this.statements.run(query) as Promise<QueryResult<R>>;
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  release(): void {
    this.statements.release();
  }
}
