import type { CompiledQuery, QueryResult } from "kysely";
import type pg from "pg";
import type { Leave } from "../../runtime/fair-places.ts";
import { findNotes } from "../../runtime/noted-work.ts";
import type { StatementConnection } from "./dialect.ts";
import { isConnectionLost } from "./errors.ts";
import { createHash } from "node:crypto";

/** What the connections of a pool have in common. */
export interface PoolWays {
  /** Which statements are kept prepared; null where they cannot be. */
  readonly names: StatementNames | null;
  /** A statement for the beginning of each transaction; null where the session has the settings already. */
  readonly localSettings: string | null;
  /** Raised by each connection that has changed what tenants share. */
  readonly shared: SharedRevision;
  toStoreError(error: unknown): unknown;
}

/**
 * A connection that somebody holds. Statements are sent at once, in the order of the calls, without waiting for the
 * answers of earlier ones; the database runs them in this order. Those of one moment travel in one packet.
 */
export class PooledConnection implements StatementConnection {
  readonly #client: pg.PoolClient;
  readonly #ways: PoolWays;
  readonly #leave: Leave;
  #changesShared = false;
  #isInTransaction = false;
  #isLost = false;
  #isCorked = false;

  constructor(client: pg.PoolClient, ways: PoolWays, leave: Leave) {
    this.#client = client;
    this.#ways = ways;
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
      [begin, this.#ways.localSettings ?? "", more].filter((part) => part !== "").join("; "),
    );
  }

  /** Ends the transaction; gives ROLLBACK when one of its statements failed. */
  commit(): Promise<string> {
    this.#isInTransaction = false;
    return this.#simple("commit");
  }

  /** Runs statements without parameters, all in one message; gives the command tag of the last. */
  command(sql: string): Promise<string> {
    return this.#framed(() => this.#simple(sql));
  }

  /** Runs statements without a time-out. In a transaction, those that follow have none either. */
  async commandWithoutTimeout(sql: string): Promise<void> {
    const patient = () => this.#simple(`set local statement_timeout = 0; ${sql}`, 2 ** 31 - 1);
    await (this.#isInTransaction ? patient() : this.#inTransaction(patient));
  }

  /** Gives the connection back; closes it if it is lost or in doubt. */
  release(): void {
    // After the commit, and before anybody is told of it.
    if (this.#changesShared) this.#ways.shared.raise();
    this.#client.release(this.#isLost);
    this.#leave();
  }

  /** Undoes the transaction. The database does that by itself for a lost connection, so nothing is sent on one. */
  async rollBack(): Promise<void> {
    this.#isInTransaction = false;
    if (!this.#isLost) await this.#simple("rollback").catch(() => this.giveUp());
  }

  /** Keeps the connection from being used again. */
  giveUp(): void {
    this.#isLost = true;
  }

  /** Sends what relies on the settings: in a transaction of its own where the session does not have them. */
  #framed<T>(send: () => Promise<T>): Promise<T> {
    return this.#isInTransaction || this.#ways.localSettings === null ? send() : this.#inTransaction(send);
  }

  async #inTransaction<T>(send: () => Promise<T>): Promise<T> {
    const begun = this.begin("begin");
    const answer = send();
    const ended = this.commit();
    const [, result] = await Promise.all([begun, answer, ended]);
    return result;
  }

  #execute({ sql, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    const name = this.#ways.names?.nameOf(sql, parameters.length);
    return this.#send({ text: sql, values: [...parameters], ...(name !== undefined && { name }) });
  }

  async #simple(sql: string, timeoutMs?: number): Promise<string> {
    const query = { text: sql, ...(timeoutMs !== undefined && { query_timeout: timeoutMs }) };
    // With several statements there are as many results, which the driver's types do not say.
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
      throw this.#ways.toStoreError(error);
    } finally {
      notes?.addStatement(query.text, performance.now() - since);
    }
  }

  /** Holds what is sent back until all that is ready to run has run: each packet costs both sides 10 µs and more. */
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
 * Decides which statements connections keep prepared: those that come a second time, up to a number, because each takes
 * memory on every connection. Statements with long lists of values seldom come again.
 */
export class StatementNames {
  readonly #names = new Map<string, string | null>();

  /** The name to prepare a statement under; undefined for one that is not kept. */
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

/** How long a change that another server made may stay unnoticed (OP-167). */
const unnoticedMsMax = 1000;

/**
 * Tells when what tenants share may have changed. It is another number after each change that this process makes, and in
 * each second, because others may have changed something since. So whoever keeps an answer while the number stays the same
 * asks the database once a second and not once a request.
 */
export class SharedRevision {
  readonly #onRaise: () => void;
  #revision = 0;
  #endsAtMs = 0;

  /** `onRaise` is told that this process has written something. */
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

  /** Notes that this process has written something, which counts from now on. */
  raise(): void {
    this.#revision += 1;
    this.#onRaise();
  }

  /** Notes that another process has. */
  noteOthers(): void {
    this.#revision += 1;
  }
}

/** Whether a statement that changes rows changes those of tables that tenants share. */
export function changesShared(statement: string): boolean {
  return /"(?:haulers|meta|tenants|tokens|users)"/.test(statement);
}
