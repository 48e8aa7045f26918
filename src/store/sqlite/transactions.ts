import type { Kysely } from "kysely";
import { failure } from "../../errors/errors.ts";
import { GroupCommit, type TransactionSteps } from "../group-commit.ts";
import type { Database } from "../schema/database.ts";
import { toQueries } from "./queries.ts";
import type { Statements } from "./statements.ts";
import type { Turns } from "./turns.ts";

/** What is done within a transaction. */
type Work<T> = (queries: Kysely<Database>) => Promise<T>;

/** The transactions on the connection of a store file. */
export interface Transactions {
  read<T>(work: Work<T>): Promise<T>;
  /** Runs `work` in a transaction that it may share with other writers. A relaxed one does not wait for the disk. */
  write<T>(work: Work<T>, isRelaxed: boolean): Promise<T>;
  /** Queries whose statements each commit by themselves, relaxed. */
  relaxed: Kysely<Database>;
  /** Resolves when nobody waits for a commit. */
  idle(): Promise<void>;
}

/** With `isBulk` no commit waits for the disk. */
export function createTransactions(statements: Statements, turns: Turns, isBulk: boolean): Transactions {
  const commitMode = new CommitMode(statements, isBulk);
  const commits = new GroupCommit(toSteps(statements, turns, commitMode));
  return {
    read: (work) =>
      turns.run(async () => {
        statements.command("begin");
        try {
          const result = await lend(statements, work);
          statements.command("commit");
          return result;
        } catch (error) {
          statements.rollBack();
          throw error;
        }
      }),
    write: (work, isRelaxed) => commits.write(() => lend(statements, work), isRelaxed),
    relaxed: toQueries((query) =>
      turns.run(() => {
        try {
          commitMode.relax();
          return statements.run(query);
        } finally {
          commitMode.restore();
        }
      }),
    ),
    idle: () => commits.idle(),
  };
}

function toSteps(statements: Statements, turns: Turns, commitMode: CommitMode): TransactionSteps {
  return {
    alone: (work) =>
      turns.run(async () => {
        try {
          await work();
        } finally {
          commitMode.restore();
        }
      }),
    begin(isRelaxed) {
      if (isRelaxed) commitMode.relax();
      else commitMode.restore();
      // Immediate: a deferred transaction that reads before it writes fails as busy when another process wrote in between,
      // whatever the time-out.
      statements.command("begin immediate");
    },
    setSavepoint() {
      // Outside of a transaction it would begin one that its release commits.
      if (!statements.isInTransaction)
        throw failure("store_unavailable", "SQLite rolled the changes back; the disk may be full.");
      statements.command("savepoint member");
    },
    releaseSavepoint: () => statements.command("release member"),
    rollBackToSavepoint() {
      statements.command("rollback to member");
      statements.command("release member");
    },
    commit: () => statements.command("commit"),
    rollBack: () => statements.rollBack(),
  };
}

/**
 * Lends the connection for the time of `work`. A statement that `work` left behind, as when one of several at once fails,
 * must not get into the transaction of another.
 */
async function lend<T>(statements: Statements, work: Work<T>): Promise<T> {
  let isOver = false;
  const queries = toQueries(async (query) => {
    if (isOver) throw new Error("The transaction of this statement is over.");
    return statements.run(query);
  });
  try {
    return await work(queries);
  } finally {
    isOver = true;
  }
}

/**
 * Whether commits wait for the disk. Relaxed ones survive a crash of the program, but not a power cut within the next
 * moments; the file stays intact in any case. It can be changed between transactions only.
 */
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
