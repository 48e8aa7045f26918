import type { CompiledQuery, QueryResult } from "kysely";
import { findNotes } from "../../runtime/noted-work.ts";
import type { Connection, Statement } from "./connection.ts";
import { toStoreError } from "./errors.ts";

/** Keeps statements prepared: preparing costs more than running most of them. */
export class Statements {
  readonly #connection: Connection;
  readonly #onFault: (error: unknown) => void;
  readonly #prepared = new Map<string, Statement>();

  constructor(connection: Connection, onFault: (error: unknown) => void = () => undefined) {
    this.#connection = connection;
    this.#onFault = onFault;
  }

  /** False once SQLite has rolled back, as on a full disk. */
  get isInTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  run(query: Pick<CompiledQuery, "parameters" | "sql">): QueryResult<unknown> {
    const notes = findNotes();
    if (!notes) return this.#run(query);
    const since = performance.now();
    try {
      return this.#run(query);
    } finally {
      notes.addStatement(query.sql, performance.now() - since);
    }
  }

  /** A statement that cannot be prepared reports the reason when it runs. */
  isReadOnly({ sql }: Pick<CompiledQuery, "sql">): boolean {
    try {
      return this.#prepare(sql).readonly;
    } catch {
      return true;
    }
  }

  command(sql: string): void {
    try {
      this.#prepare(sql).run();
    } catch (error) {
      throw this.#toStoreError(error);
    }
  }

  /** After SQLite's own rollback, a second one would fail and hide the reason. */
  rollBack(): void {
    if (this.isInTransaction) this.command("rollback");
  }

  #run({ sql, parameters }: Pick<CompiledQuery, "parameters" | "sql">): QueryResult<unknown> {
    try {
      const statement = this.#prepare(sql);
      const bound = parameters.map(toBound);
      if (statement.reader) return { rows: statement.all(bound) };
      const { changes, lastInsertRowid } = statement.run(bound);
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
    } catch (error) {
      throw this.#toStoreError(error);
    }
  }

  #toStoreError(error: unknown): unknown {
    const known = toStoreError(error, "The store");
    this.#onFault(known);
    return known;
  }

  #prepare(sql: string): Statement {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(sql);
    if (this.#prepared.size >= statementsMax) this.#prepared.clear();
    this.#prepared.set(sql, statement);
    return statement;
  }
}

const statementsMax = 500;

/** SQLite has no Booleans. */
function toBound(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}
