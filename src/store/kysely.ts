import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  DefaultQueryExecutor,
  type Dialect,
  type DialectAdapter,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type { Database } from "./schema/database.ts";

export interface SqlLanguage {
  adapter: DialectAdapter;
  compiler: QueryCompiler;
  introspect(db: Kysely<unknown>): DatabaseIntrospector;
}

type RunStatement = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

export interface StatementConnection {
  run: RunStatement;
  /** Missing if the caller begins and ends the transaction. */
  begin?(begin: string): Promise<unknown>;
  commit?(): Promise<unknown>;
  rollBack?(): Promise<unknown>;
  release?(): void;
}

export function toKysely(
  language: SqlLanguage,
  acquire: () => Promise<StatementConnection>,
): Kysely<Database> {
  return new Kysely({ dialect: toDialect(language, new ConnectionDriver(acquire)) });
}

/** Each transaction creates a Kysely, so this omits its driver and checks. The caller holds the connection. */
export function toQueries(language: SqlLanguage, run: RunStatement): Kysely<Database> {
  const dialect = toDialect(language, lentDriver);
  return new Kysely({
    config: { dialect },
    dialect,
    driver: lentDriver,
    executor: new StatementExecutor(language, run),
  });
}

const toDialect = ({ adapter, compiler, introspect }: SqlLanguage, driver: Driver): Dialect => ({
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: introspect,
  createQueryCompiler: () => compiler,
});

/** Begins no transaction: the caller has begun one, or each statement commits on its own. */
class LentDriver extends DummyDriver {
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error("A transaction within a transaction is not begun here."));
  }
}

const lentDriver = new LentDriver();

class StatementExecutor extends DefaultQueryExecutor {
  readonly #run: RunStatement;

  constructor({ adapter, compiler }: SqlLanguage, run: RunStatement) {
    const connection = new KyselyConnection({ run });
    super(compiler, adapter, { provideConnection: (consumer) => consumer(connection) });
    this.#run = run;
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(query) as Promise<QueryResult<R>>;
  }
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

  async beginTransaction({ statements }: KyselyConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : "";
    if (!statements.begin) throw new Error("This connection is part of a transaction already.");
    await statements.begin(`begin${level} ${settings.accessMode ?? "read write"}`);
  }

  async commitTransaction({ statements }: KyselyConnection): Promise<void> {
    await statements.commit?.();
  }

  async rollbackTransaction({ statements }: KyselyConnection): Promise<void> {
    await statements.rollBack?.();
  }

  async releaseConnection({ statements }: KyselyConnection): Promise<void> {
    statements.release?.();
  }

  async destroy(): Promise<void> {}
}

class KyselyConnection implements DatabaseConnection {
  readonly statements: StatementConnection;

  constructor(statements: StatementConnection) {
    this.statements = statements;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.statements.run(query) as Promise<QueryResult<R>>;
  }

  // biome-ignore lint/correctness/useYield: the program never reads rows one by one.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Rows are not streamed here.");
  }
}
