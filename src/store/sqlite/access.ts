import type { CompiledQuery, QueryResult } from "kysely";
import { createStoreWaits, type StoreActivity, type StoreWaits } from "../activity.ts";
import type { Connection } from "./connection.ts";
import type { FileIdentity } from "./file-identity.ts";
import { LockQueue, type LockWaiting } from "./lock-queue.ts";
import { Statements } from "./statements.ts";
import { Turns } from "./turns.ts";

/** A connection and the queue of its callers. */
interface Lane {
  connection: Connection;
  statements: Statements;
  turns: Turns;
}

/**
 * Gives callers a connection to a store's file, one caller at a time. Callers that wait for another process's lock hold
 * no connection, so the others continue. Refuses all callers once the file is lost.
 */
export class Access {
  /** The statements of the connection that writes. */
  readonly statements: Statements;
  readonly #identity: Pick<FileIdentity, "require">;
  readonly #connection: Connection;
  readonly #turns: Turns;
  readonly #waits: StoreWaits;
  readonly #toStatements: (connection: Connection) => Statements;
  readonly #openSecond: (() => Connection | null) | undefined;
  /** Serves reads while the first connection is in use; null where the file has no second one. */
  #second: Lane | null | undefined;
  // A writer of another process does not keep readers from working.
  readonly #readers: LockQueue;
  readonly #writers: LockQueue;

  constructor(
    connection: Connection,
    { identity, onFault, waiting, waits = createStoreWaits(), openSecond }: AccessOptions,
  ) {
    this.#toStatements = (connection) => new Statements(connection, onFault);
    this.#connection = connection;
    this.statements = this.#toStatements(connection);
    this.#identity = identity;
    this.#waits = waits;
    this.#openSecond = openSecond;
    this.#turns = new Turns(waits.connection);
    this.#readers = new LockQueue({ ...waiting, waits: waits.file_lock });
    this.#writers = new LockQueue({ ...waiting, waits: waits.file_lock });
  }

  /** How many connections are in use and idle, how many callers wait for one or for another process, and for how long. */
  get activity(): Omit<StoreActivity, "writersWaiting"> {
    const queues = this.#second ? [this.#turns, this.#second.turns] : [this.#turns];
    const used = queues.filter((turns) => turns.isTaken).length;
    const waiting = [...queues, this.#readers, this.#writers].reduce((sum, queue) => sum + queue.waiting, 0);
    return {
      connections: { used, idle: queues.length - used, waiting },
      connectionsMax: this.#openSecond ? 2 : 1,
      waits: this.#waits,
    };
  }

  /** Whether somebody waits for who has the connection. */
  get isAwaited(): boolean {
    return this.#turns.isAwaited;
  }

  /** Runs `work`, which begins by reading and writes nothing; it may run again after it met a lock. */
  read<T>(work: (statements: Statements, connection: Connection) => Promise<T>, waitMs?: number): Promise<T> {
    const attempt = () => {
      const { connection, statements, turns } = this.#laneToRead();
      return turns.run(() => this.#checked(() => work(statements, connection)));
    };
    return this.#readers.run(attempt, toWait(waitMs));
  }

  /** The second connection while the first is in use: in WAL mode a reader need not wait for a writer. */
  #laneToRead(): Lane {
    const first = { connection: this.#connection, statements: this.statements, turns: this.#turns };
    if (!this.#turns.isTaken) return first;
    if (this.#second === undefined) {
      const connection = this.#openSecond?.() ?? null;
      const turns = new Turns(this.#waits.connection);
      this.#second = connection && { connection, statements: this.#toStatements(connection), turns };
    }
    return this.#second ?? first;
  }

  /** Runs one statement alone. Calls `prepare` once it has the connection, `restore` before it gives the connection back. */
  run(
    query: Pick<CompiledQuery, "parameters" | "sql">,
    { prepare = nothing, restore = nothing, waitMs }: RunOptions = {},
  ): Promise<QueryResult<unknown>> {
    if (this.statements.isReadOnly(query))
      return this.read(async (statements) => statements.run(query), waitMs);
    const attempt = () =>
      this.#turns.run(() =>
        this.#checked(() => {
          try {
            prepare();
            return this.statements.run(query);
          } finally {
            restore();
          }
        }),
      );
    return this.#writers.run(attempt, toWait(waitMs));
  }

  /**
   * Begins a transaction that writes, for which the caller has the connection until it calls `end`. Waits for locks as
   * long as one who waits since `since` may, on the clock of `performance`. `prepare` is called when the connection is
   * had, `restore` when it is lost again because nothing could be begun.
   */
  begin({
    prepare = nothing,
    restore = nothing,
    since = performance.now(),
  }: BeginOptions = {}): Promise<void> {
    const attempt = async () => {
      await this.#turns.take();
      try {
        this.#identity.require();
        prepare();
        // Immediate: a deferred transaction that reads before it writes fails as busy when another process wrote in
        // between, however long it would wait.
        this.statements.command("begin immediate");
      } catch (error) {
        restore();
        this.#turns.release();
        throw error;
      }
    };
    return this.#writers.run(attempt, { since });
  }

  /** Gives the connection back; whatever was begun is over. */
  end(): void {
    this.#turns.release();
  }

  /** Closes what this opened. */
  close(): void {
    this.#second?.connection.close();
  }

  #checked<T>(work: () => T): T {
    this.#identity.require();
    return work();
  }
}

interface AccessOptions {
  identity: Pick<FileIdentity, "require">;
  /** Receives each error that a statement throws. */
  onFault?: (error: unknown) => void;
  waiting: LockWaiting;
  /** Counts how long callers wait. */
  waits?: StoreWaits;
  /** Opens a second connection to read with. Called at most once. */
  openSecond?: () => Connection | null;
}

interface Preparation {
  prepare?: () => void;
  restore?: () => void;
}

interface RunOptions extends Preparation {
  waitMs?: number;
}

interface BeginOptions extends Preparation {
  since?: number;
}

const nothing = () => undefined;

const toWait = (waitMs: number | undefined) => (waitMs === undefined ? {} : { waitMs });
