import type SqliteDatabase from "better-sqlite3";
import type { CompiledQuery, QueryResult } from "kysely";
import { toStoreError } from "./errors.ts";

/** Runs statements on a connection and keeps them prepared, because preparing costs more than running most of them. */
export class Statements {
  readonly #connection: SqliteDatabase.Database;
  readonly #prepared = new Map<string, SqliteDatabase.Statement>();

  constructor(connection: SqliteDatabase.Database) {
    this.#connection = connection;
  }

  /** False once SQLite has rolled back by itself, as it does when the disk is full. */
  get isInTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  /** Runs a statement; what is wrong with the file or the disk becomes an error of the table. */
  run({ sql, parameters }: Pick<CompiledQuery, "parameters" | "sql">): QueryResult<unknown> {
    try {
      const statement = this.#prepare(sql);
      const bound = parameters.map(toBound);
      if (statement.reader) return { rows: statement.all(bound) };
      const { changes, lastInsertRowid } = statement.run(bound);
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
    } catch (error) {
      throw toStoreError(error, "the store");
    }
  }

  /** Runs a statement that takes and gives nothing. */
  command(sql: string): void {
    try {
      this.#prepare(sql).run();
    } catch (error) {
      throw toStoreError(error, "the store");
    }
  }

  /** A second rollback, after SQLite's own, would fail and hide the reason. */
  rollBack(): void {
    if (this.isInTransaction) this.command("rollback");
  }

  #prepare(sql: string): SqliteDatabase.Statement {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(sql);
    if (this.#prepared.size >= statementsMax) this.#prepared.clear();
    this.#prepared.set(sql, statement);
    return statement;
  }
}

const statementsMax = 500;

/** SQLite has no booleans. */
function toBound(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}
