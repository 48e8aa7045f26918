import { setTimeout as sleep } from "node:timers/promises";
import type { CompiledQuery, QueryResult } from "kysely";
import { createStoreWaits, type StoreActivity, type StoreWaits } from "../api.ts";
import { lockWaitMsMax, noticeAfterMs } from "./connect.ts";
import type { Connection } from "./connection.ts";
import { isLocked } from "./errors.ts";
import type { FileIdentity } from "./file-identity.ts";
import { Statements } from "./statements.ts";
import { Turns } from "./turns.ts";

interface Lane {
  connection: Connection;
  statements: Statements;
  turns: Turns;
}

/** Lends the connection to one caller at a time. Waiting callers retry, because SQLite's wait blocks the thread. */
export class Access {
  readonly statements: Statements;
  readonly #first: Lane;
  /** A second connection for reads while the first is in use; null if the file has none. */
  #second: Lane | null | undefined;
  readonly #options: AccessOptions;
  readonly #waits: StoreWaits;
  // Only the first caller that met a lock retries. A writer of another process does not block readers.
  readonly #lockedReaders = new Turns();
  readonly #lockedWriters = new Turns();

  constructor(connection: Connection, options: AccessOptions) {
    this.#options = options;
    this.#waits = options.waits ?? createStoreWaits();
    this.#first = this.#toLane(connection);
    this.statements = this.#first.statements;
  }

  get activity(): Omit<StoreActivity, "writersWaiting"> {
    const queues = this.#second ? [this.#first.turns, this.#second.turns] : [this.#first.turns];
    const used = queues.filter((turns) => turns.isTaken).length;
    const locked = [this.#lockedReaders, this.#lockedWriters];
    const retrying = locked.filter((turns) => turns.isTaken).length;
    const waiting = [...queues, ...locked].reduce((sum, turns) => sum + turns.waiting, retrying);
    return {
      connections: { used, idle: queues.length - used, waiting },
      connectionsMax: this.#options.openSecond ? 2 : 1,
      waits: this.#waits,
    };
  }

  get isAwaited(): boolean {
    return this.#first.turns.waiting > 0;
  }

  /** `work` begins with a read and writes nothing. It runs again after a lock. */
  read<T>(work: (statements: Statements, connection: Connection) => Promise<T>, waitMs?: number): Promise<T> {
    const attempt = () => {
      const { connection, statements, turns } = this.#laneToRead();
      return turns.run(() => this.#checked(() => work(statements, connection)));
    };
    return this.#retry(this.#lockedReaders, attempt, { waitMs });
  }

  run(
    query: Pick<CompiledQuery, "parameters" | "sql">,
    { prepare = nothing, restore = nothing, waitMs }: RunOptions = {},
  ): Promise<QueryResult<unknown>> {
    if (this.statements.isReadOnly(query))
      return this.read(async (statements) => statements.run(query), waitMs);
    const attempt = () =>
      this.#first.turns.run(() =>
        this.#checked(() => {
          try {
            prepare();
            return this.statements.run(query);
          } finally {
            restore();
            this.noteWrite();
          }
        }),
      );
    return this.#retry(this.#lockedWriters, attempt, { waitMs });
  }

  /** The caller has the connection until `end`. Calls `restore` if the transaction cannot begin. */
  begin({ prepare = nothing, restore = nothing, since }: BeginOptions = {}): Promise<void> {
    const attempt = async () => {
      await this.#first.turns.take();
      try {
        this.#options.identity.require();
        prepare();
        // A deferred transaction fails at its first write if another process has written since.
        this.statements.command("begin immediate");
      } catch (error) {
        restore();
        this.#first.turns.release();
        throw error;
      }
    };
    return this.#retry(this.#lockedWriters, attempt, { since });
  }

  end(): void {
    this.noteWrite();
    this.#first.turns.release();
  }

  /** The writing connection may have committed. */
  noteWrite(): void {
    this.#options.afterWrite?.();
  }

  close(): void {
    this.#second?.connection.close();
  }

  #toLane(connection: Connection): Lane {
    const statements = new Statements(connection, this.#options.onFault);
    return { connection, statements, turns: new Turns(this.#waits.connection) };
  }

  /** In WAL mode a reader on a second connection need not wait for the writer. */
  #laneToRead(): Lane {
    if (!this.#first.turns.isTaken) return this.#first;
    if (this.#second === undefined) {
      const connection = this.#options.openSecond?.() ?? null;
      this.#second = connection && this.#toLane(connection);
    }
    return this.#second ?? this.#first;
  }

  /** Repeats `attempt` after a lock, in the order of the callers, until the caller has waited `waitMs`. */
  async #retry<T>(
    locked: Turns,
    attempt: () => Promise<T>,
    { since = performance.now(), waitMs = lockWaitMsMax }: RetryOptions,
  ): Promise<T> {
    const giveUpAt = since + waitMs;
    if (!locked.isTaken) {
      try {
        return await attempt();
      } catch (error) {
        if (!isLocked(error) || performance.now() >= giveUpAt) throw error;
      }
    }
    const metAt = performance.now();
    const notice = setTimeout(this.#options.onWait ?? nothing, noticeAfterMs);
    // After its timeout a caller tries once more: earlier callers may have a later timeout.
    const isTurn = await locked.take(giveUpAt - metAt);
    try {
      for (let tries = 0; ; tries += 1) {
        await sleep(Math.min(2 ** tries, pauseMsMax));
        const isLast = performance.now() >= giveUpAt;
        try {
          return await attempt();
        } catch (error) {
          if (isLast || !isLocked(error)) throw error;
        }
      }
    } finally {
      clearTimeout(notice);
      if (isTurn) locked.release();
      this.#waits.file_lock.addMs(performance.now() - metAt);
    }
  }

  #checked<T>(work: () => T): T {
    this.#options.identity.require();
    return work();
  }
}

/** Longer pauses leave an unlocked file unused. Shorter ones take CPU: a try takes 20 µs. */
const pauseMsMax = 25;

interface AccessOptions {
  identity: Pick<FileIdentity, "require">;
  afterWrite?: () => void;
  onFault?: (error: unknown) => void;
  onWait?: () => void;
  openSecond?: () => Connection | null;
  waits?: StoreWaits;
}

interface Preparation {
  prepare?: () => void;
  restore?: () => void;
}

interface RunOptions extends Preparation {
  waitMs?: number;
}

interface RetryOptions {
  since?: number | undefined;
  waitMs?: number | undefined;
}

interface BeginOptions extends Preparation {
  since?: number | undefined;
}

const nothing = () => undefined;
