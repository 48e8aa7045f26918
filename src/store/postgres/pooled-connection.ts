import { createHash } from "node:crypto";
import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import type { Leave } from "../../runtime/fair-places.ts";
import { findNotes } from "../../runtime/noted-work.ts";
import type { SqlLanguage, StatementConnection } from "../kysely.ts";
import { isConnectionLost } from "./errors.ts";

export const postgresLanguage: SqlLanguage = {
  adapter: new PostgresAdapter(),
  compiler: new PostgresQueryCompiler(),
  introspect: (db) => new PostgresIntrospector(db),
};

export interface PoolContext {
  readonly names: StatementNames | null;
  readonly localSettings: string | null;
  readonly shared: SharedRevision;
  toStoreError(error: unknown): unknown;
}

/**
 * A borrowed connection. It sends statements at once, in the order of the calls, without waiting for earlier answers;
 * the database runs them in this order. Statements that are sent together share a packet.
 */
export class PooledConnection implements StatementConnection {
  readonly #client: pg.PoolClient;
  readonly #pool: PoolContext;
  readonly #leave: Leave;
  #changesShared = false;
  #isInTransaction = false;
  #isLost = false;
  #isCorked = false;

  constructor(client: pg.PoolClient, pool: PoolContext, leave: Leave) {
    this.#client = client;
    this.#pool = pool;
    this.#leave = leave;
  }

  async run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const { command, rowCount, rows } = await this.#framed(() => this.#execute(query));
    const isChange =
      command === "INSERT" || command === "UPDATE" || command === "DELETE" || command === "MERGE";
    if (!isChange) return { rows };
    this.#changesShared ||= changesShared(query.sql);
    return { numAffectedRows: BigInt(rowCount ?? 0), rows };
  }

  /** Begins a transaction by `begin`, and runs `more` as its first statements; all in one message. */
  begin(begin: string, more = ""): Promise<string> {
    this.#isInTransaction = true;
    return this.#simple(
      [begin, this.#pool.localSettings ?? "", more].filter((part) => part !== "").join("; "),
    );
  }

  /** Ends the transaction; returns ROLLBACK if one of its statements failed. */
  commit(): Promise<string> {
    this.#isInTransaction = false;
    return this.#simple("commit");
  }

  /** Runs statements without parameters in one message; returns the command tag of the last. */
  command(sql: string): Promise<string> {
    return this.#framed(() => this.#simple(sql));
  }

  /** Runs statements without a timeout. In a transaction, the following statements have none either. */
  async commandWithoutTimeout(sql: string): Promise<void> {
    const patient = () => this.#simple(`set local statement_timeout = 0; ${sql}`, 2 ** 31 - 1);
    await (this.#isInTransaction ? patient() : this.#inTransaction(patient));
  }

  /** Returns the connection to the pool; closes it if it is lost or in doubt. */
  release(): void {
    // After the commit, and before the caller learns of it.
    if (this.#changesShared) this.#pool.shared.raise();
    this.#client.release(this.#isLost);
    this.#leave();
  }

  /** Undoes the transaction. If the connection is lost, the database does this itself. */
  async rollBack(): Promise<void> {
    this.#isInTransaction = false;
    if (!this.#isLost) await this.#simple("rollback").catch(() => this.giveUp());
  }

  giveUp(): void {
    this.#isLost = true;
  }

  /** Sends statements that rely on the settings: in a transaction of their own where the session does not have them. */
  #framed<T>(send: () => Promise<T>): Promise<T> {
    return this.#isInTransaction || this.#pool.localSettings === null ? send() : this.#inTransaction(send);
  }

  async #inTransaction<T>(send: () => Promise<T>): Promise<T> {
    const begun = this.begin("begin");
    const answer = send();
    const ended = this.commit();
    const [, result] = await Promise.all([begun, answer, ended]);
    return result;
  }

  #execute({ sql, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    const name = this.#pool.names?.nameOf(sql, parameters.length);
    return this.#send({ text: sql, values: [...parameters], ...(name !== undefined && { name }) });
  }

  async #simple(sql: string, timeoutMs?: number): Promise<string> {
    const query = { text: sql, ...(timeoutMs !== undefined && { query_timeout: timeoutMs }) };
    // Several statements return several results, which the driver's types do not say.
    const results: pg.QueryResult | pg.QueryResult[] = await this.#send(query);
    return (Array.isArray(results) ? results.at(-1) : results)?.command ?? "";
  }

  async #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#cork();
    const notes = findNotes();
    const since = notes ? performance.now() : 0;
    try {
      return await this.#client.query(query);
    } catch (error) {
      // A prepared statement whose result type has changed fails on this connection for ever.
      if (isConnectionLost(error) || isStalePlan(error)) this.giveUp();
      throw this.#pool.toStoreError(error);
    } finally {
      notes?.addStatement(query.text, performance.now() - since);
    }
  }

  /** Holds the output until everything that is ready to run has run: each packet costs both sides 10 µs and more. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.#client.connection;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}

/** Whether a statement failed because a newer program changed a table after it was prepared. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && /cached plan must not change result type/.test(error.message);
}

/**
 * Chooses the statements that connections keep prepared: those that come a second time, up to a limit, because each
 * takes memory on every connection. Statements with long lists of values seldom come again.
 */
export class StatementNames {
  readonly #names = new Map<string, string | null>();

  nameOf(sql: string, parameterCount: number): string | undefined {
    if (parameterCount > 50) return undefined;
    const known = this.#names.get(sql);
    if (known) return known;
    if (this.#names.size >= 500 && known === undefined) return undefined;
    const name = known === null ? createHash("sha256").update(sql).digest("hex").slice(0, 32) : null;
    this.#names.set(sql, name);
    return name ?? undefined;
  }
}

/** The maximum time until a change by another server is noticed. */
const unnoticedMsMax = 1000;

/**
 * A number that changes after each change of shared rows by this process, and each second, because other servers may
 * have changed some. So a cache asks the database once a second and not once a request.
 */
export class SharedRevision {
  readonly #onRaise: () => void;
  #revision = 0;
  #endsAtMs = 0;

  constructor(onRaise: () => void = () => undefined) {
    this.#onRaise = onRaise;
  }

  current(): number {
    const nowMs = performance.now();
    if (nowMs >= this.#endsAtMs) {
      this.#revision += 1;
      this.#endsAtMs = nowMs + unnoticedMsMax;
    }
    return this.#revision;
  }

  raise(): void {
    this.#revision += 1;
    this.#onRaise();
  }

  noteOthers(): void {
    this.#revision += 1;
  }
}

/** Whether a changing statement changes tables that tenants share. */
function changesShared(statement: string): boolean {
  return /"(?:haulers|meta|tenants|tokens|users)"/.test(statement);
}
