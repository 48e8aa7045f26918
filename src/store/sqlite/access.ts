import type { CompiledQuery, QueryResult } from "kysely";
import { createStoreWaits, type StoreActivity, type StoreWaits } from "../activity.ts";
import type { FileIdentity } from "./file-identity.ts";
import { LockQueue, type LockWaiting } from "./lock-queue.ts";
import type { Statements } from "./statements.ts";
import { Turns } from "./turns.ts";

/**
 * The one way to the connection of a store's file. Whoever uses it has it alone; while another process holds a lock
 * nobody has it, so that those whom the lock does not concern go on. Refuses everybody once the file was lost.
 */
export class Access {
  readonly statements: Statements;
  readonly #identity: Pick<FileIdentity, "require">;
  readonly #turns: Turns;
  // A writer of another process does not keep readers from working.
  readonly #readers: LockQueue;
  readonly #writers: LockQueue;

  /** Counts in `waits` how long its users wait. */
  constructor(
    statements: Statements,
    identity: Pick<FileIdentity, "require">,
    waiting: LockWaiting,
    waits: StoreWaits = createStoreWaits(),
  ) {
    this.statements = statements;
    this.#identity = identity;
    this.#turns = new Turns(waits.connection);
    this.#readers = new LockQueue({ ...waiting, waits: waits.file_lock });
    this.#writers = new LockQueue({ ...waiting, waits: waits.file_lock });
  }

  /** Who has the one connection, and who waits for it or for another process. */
  get connections(): StoreActivity["connections"] {
    const used = this.#turns.isTaken ? 1 : 0;
    return {
      used,
      idle: 1 - used,
      waiting: this.#turns.waiting + this.#readers.waiting + this.#writers.waiting,
    };
  }

  /** Whether somebody waits for who has the connection. */
  get isAwaited(): boolean {
    return this.#turns.isAwaited;
  }

  /** Runs `work`, which begins by reading and writes nothing; it may run again after it met a lock. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#readers.run(() => this.#turns.run(() => this.#checked(work)));
  }

  /** Runs a statement by itself. `prepare` is called when the connection is had, `restore` before it is given back. */
  run(
    query: Pick<CompiledQuery, "parameters" | "sql">,
    { prepare = nothing, restore = nothing, waitMs }: RunOptions = {},
  ): Promise<QueryResult<unknown>> {
    const queue = this.statements.isReadOnly(query) ? this.#readers : this.#writers;
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
    return queue.run(attempt, waitMs === undefined ? {} : { waitMs });
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

  #checked<T>(work: () => T): T {
    this.#identity.require();
    return work();
  }
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
