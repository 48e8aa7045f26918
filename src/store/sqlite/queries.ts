import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Database } from "../schema/database.ts";
import type { Access } from "./access.ts";

export type RunStatement = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/** Queries whose statements share the connection with all callers; each is a commit of its own. */
export function toSharedQueries(access: Access): Kysely<Database> {
  return new Kysely({ dialect: toDialect(() => new SharedDriver(access)) });
}

/**
 * Queries whose statements run with `run`, for a caller that has the connection. Each transaction creates its own, so
 * they are light: Kysely's driver, with its check that one statement runs at a time, is left out.
 */
export function toQueries(run: RunStatement): Kysely<Database> {
  return new Kysely({
    config: { dialect: lentDialect },
    dialect: lentDialect,
    driver: lentDriver,
    executor: new StatementExecutor(run),
  });
}

const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();

function toDialect(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => adapter,
    createDriver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Begins no transactions: the lender has begun one, or wants each statement to be a commit of its own. */
class LentDriver extends DummyDriver {
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error("A transaction within a transaction is not begun here."));
  }
}

const lentDriver = new LentDriver();
const lentDialect = toDialect(() => lentDriver);

class StatementExecutor extends DefaultQueryExecutor {
  readonly #run: RunStatement;

  constructor(run: RunStatement) {
    const connection = new KyselyConnection(run);
    super(compiler, adapter, { provideConnection: (consumer) => consumer(connection) });
    this.#run = run;
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Kysely types rows by the query; the driver does not know them.
    return this.#run(query) as Promise<QueryResult<R>>;
  }
}

class KyselyConnection implements DatabaseConnection {
  readonly #run: RunStatement;

  constructor(run: RunStatement) {
    this.#run = run;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(query) as Promise<QueryResult<R>>;
  }

  // biome-ignore lint/correctness/useYield: nobody reads rows one by one here.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Rows are not streamed here.");
  }
}

class SharedDriver implements Driver {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SharedConnection> {
    return new SharedConnection(this.#access);
  }

  beginTransaction(connection: SharedConnection): Promise<void> {
    return connection.begin();
  }

  async commitTransaction(connection: SharedConnection): Promise<void> {
    connection.end("commit");
  }

  async rollbackTransaction(connection: SharedConnection): Promise<void> {
    connection.end("rollback");
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class SharedConnection extends KyselyConnection {
  readonly #access: Access;
  #isInTransaction = false;

  constructor(access: Access) {
    super(async (query) => (this.#isInTransaction ? access.statements.run(query) : access.run(query)));
    this.#access = access;
  }

  async begin(): Promise<void> {
    await this.#access.begin();
    this.#isInTransaction = true;
  }

  end(how: "commit" | "rollback"): void {
    const { statements } = this.#access;
    if (how === "commit") statements.command("commit");
    else statements.rollBack();
    this.#isInTransaction = false;
    this.#access.end();
  }
}
