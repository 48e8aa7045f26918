import { statSync } from "node:fs";
import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { failure } from "../../errors/errors.ts";
import type { TimeCounts } from "../../runtime/time-counts.ts";
import { GroupCommit, type TransactionSteps } from "../group-commit.ts";
import { type SqlLanguage, toKysely, toQueries } from "../kysely.ts";
import type { Database } from "../schema/database.ts";
import type { Access } from "./access.ts";
import type { Connection } from "./connection.ts";
import type { Statements } from "./statements.ts";

type Work<T> = (queries: Kysely<Database>) => Promise<T>;

export interface Transactions {
  read<T>(work: Work<T>): Promise<T>;
  /** The transaction may include other writers. A relaxed one does not wait for the disk. */
  write<T>(tenantId: number, work: Work<T>, isRelaxed: boolean): Promise<T>;
  relaxed: Kysely<Database>;
  writersWaiting(): number;
  idle(): Promise<void>;
}

interface TransactionOptions {
  isBulk: boolean;
  /** Called before any caller learns of the commit. Throws if the committed data is lost. */
  afterCommit: () => void;
  afterRead?: () => void;
  writerWaits: TimeCounts;
}

export function createTransactions(
  access: Access,
  { isBulk, afterCommit, afterRead, writerWaits }: TransactionOptions,
): Transactions {
  const { statements } = access;
  const commitMode = new CommitMode(statements, isBulk);
  const commits = new GroupCommit(toSteps(access, commitMode, afterCommit), writerWaits);
  const relaxing = { prepare: () => commitMode.relax(), restore: () => commitMode.restore() };
  return {
    read: (work) =>
      access.read(async (statements) => {
        statements.command("begin");
        try {
          const result = await lend(statements, work);
          statements.command("commit");
          afterRead?.();
          return result;
        } catch (error) {
          statements.rollBack();
          throw error;
        }
      }),
    write: (tenantId, work, isRelaxed) => commits.write(tenantId, () => lend(statements, work), isRelaxed),
    relaxed: toQueries(sqliteLanguage, (query) => access.run(query, relaxing)),
    writersWaiting: () => commits.waiting,
    idle: () => commits.idle(),
  };
}

export function toSharedQueries(access: Access): Kysely<Database> {
  const { statements } = access;
  return toKysely(sqliteLanguage, async () => {
    let isInTransaction = false;
    const end = (command: () => void) => async () => {
      command();
      isInTransaction = false;
      access.end();
    };
    return {
      run: async (query) => (isInTransaction ? statements.run(query) : access.run(query)),
      async begin() {
        await access.begin();
        isInTransaction = true;
      },
      commit: end(() => statements.command("commit")),
      rollBack: end(() => statements.rollBack()),
    };
  });
}

const sqliteLanguage: SqlLanguage = {
  adapter: new SqliteAdapter(),
  compiler: new SqliteQueryCompiler(),
  introspect: (db) => new SqliteIntrospector(db),
};

function toSteps(access: Access, commitMode: CommitMode, afterCommit: () => void): TransactionSteps {
  const { statements } = access;
  return {
    begin: (isRelaxed, since) =>
      access.begin({
        prepare: () => (isRelaxed() ? commitMode.relax() : commitMode.restore()),
        restore: () => commitMode.restore(),
        since,
      }),
    setSavepoint() {
      // Outside of a transaction, a savepoint would begin one, and its release would commit.
      if (!statements.isInTransaction)
        throw failure("store_unavailable", "SQLite rolled the changes back; the disk may be full.");
      statements.command("savepoint member");
    },
    releaseSavepoint: () => statements.command("release member"),
    rollBackToSavepoint() {
      statements.command("rollback to member");
      statements.command("release member");
    },
    commit() {
      statements.command("commit");
      access.noteWrite();
      afterCommit();
    },
    rollBack: () => statements.rollBack(),
    end() {
      try {
        commitMode.restore();
      } finally {
        access.end();
      }
    },
    isAwaited: () => access.isAwaited,
  };
}

/** If one of several parallel statements fails, the others must not run in a later transaction. */
async function lend<T>(statements: Statements, work: Work<T>): Promise<T> {
  let isOver = false;
  const queries = toQueries(sqliteLanguage, async (query) => {
    if (isOver) throw new Error("The transaction of this statement is over.");
    return statements.run(query);
  });
  try {
    return await work(queries);
  } finally {
    isOver = true;
  }
}

/** Whether commits wait for the disk. Only a power cut may undo relaxed commits. Change it between transactions. */
class CommitMode {
  readonly #statements: Statements;
  readonly #isBulk: boolean;
  #isRelaxed = false;

  constructor(statements: Statements, isBulk: boolean) {
    this.#statements = statements;
    this.#isBulk = isBulk;
    if (isBulk) this.#statements.command("pragma synchronous = normal");
  }

  relax(): void {
    if (this.#isBulk || this.#isRelaxed) return;
    this.#statements.command("pragma synchronous = normal");
    this.#isRelaxed = true;
  }

  restore(): void {
    if (!this.#isRelaxed) return;
    this.#statements.command("pragma synchronous = full");
    this.#isRelaxed = false;
  }
}

const bytesMax = 16 * 1024 * 1024;

/** The longest wait for other connections, in milliseconds. Writers wait that long. */
const waitMs = 50;

/** SQLite can empty its log only between reads. Without this call, continuous reads let it grow without limit. */
export function shortenLog(connection: Connection, file: string): void {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (!log || log.size < bytesMax) return;
  try {
    // The passive checkpoint does most of the work without blocking writers.
    connection.pragma("wal_checkpoint(PASSIVE)");
    connection.pragma(`busy_timeout = ${waitMs}`);
    connection.pragma("wal_checkpoint(TRUNCATE)");
  } catch {
  } finally {
    connection.pragma("busy_timeout = 0");
  }
}
