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

/** A borrowed connection. It pipelines: it sends statements in the order of the calls without waiting for answers. */
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

  /** Sends `begin` and `more` in one message. */
  begin(begin: string, more = ""): Promise<string> {
    this.#isInTransaction = true;
    return this.#simple(
      [begin, this.#pool.localSettings ?? "", more].filter((part) => part !== "").join("; "),
    );
  }

  commit(): Promise<string> {
    this.#isInTransaction = false;
    return this.#simple("commit");
  }

  /** Runs statements without parameters in one message. Returns the last command tag. */
  command(sql: string): Promise<string> {
    return this.#framed(() => this.#simple(sql));
  }

  /** In a transaction, the following statements have no timeout either. */
  async commandWithoutTimeout(sql: string): Promise<void> {
    const patient = () => this.#simple(`set local statement_timeout = 0; ${sql}`, 2 ** 31 - 1);
    await (this.#isInTransaction ? patient() : this.#inTransaction(patient));
  }

  /** Closes the connection if it is lost or in doubt. */
  release(): void {
    // After the commit, before the caller learns of it.
    if (this.#changesShared) this.#pool.shared.raise();
    this.#client.release(this.#isLost);
    this.#leave();
  }

  /** The database itself rolls back a lost connection. */
  async rollBack(): Promise<void> {
    this.#isInTransaction = false;
    if (!this.#isLost) await this.#simple("rollback").catch(() => this.giveUp());
  }

  giveUp(): void {
    this.#isLost = true;
  }

  /** Statements that need the settings run in a transaction where the session lacks them. */
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
      // A prepared statement whose result type has changed keeps failing on this connection.
      if (isConnectionLost(error) || isStalePlan(error)) this.giveUp();
      throw this.#pool.toStoreError(error);
    } finally {
      notes?.addStatement(query.text, performance.now() - since);
    }
  }

  /** Sends ready statements in one packet: each packet costs both sides at least 10 µs. */
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

export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && /cached plan must not change result type/.test(error.message);
}

/** Prepares statements from their second use on, up to a limit: each takes memory on every connection. */
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

const unnoticedMsMax = 1000;

/** Changes with each shared change of this process, and each second, because other servers may have written. */
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

function changesShared(statement: string): boolean {
  return /"(?:haulers|meta|tenants|tokens|users)"/.test(statement);
}
