import { setImmediate } from "node:timers/promises";
import { DispatchError, failure } from "../errors/errors.ts";

/** How a database makes transactions on one connection. Each step may take time. */
export interface TransactionSteps {
  /**
   * Waits until nobody else uses the connection and no lock stands in the way, but not longer than one who waits since
   * `since` may (on the clock of `performance`), and begins. What `isRelaxed` says then decides whether the commit waits
   * for the disk.
   */
  begin(isRelaxed: () => boolean, since: number): Step;
  setSavepoint(): Step;
  releaseSavepoint(): Step;
  /** Undoes what was done since the savepoint, and releases it. Throws when the database has rolled back by itself. */
  rollBackToSavepoint(): Step;
  commit(): Step;
  /** Does nothing when the database has rolled back by itself, as some do when the disk is full. */
  rollBack(): Step;
  /** Lets others use the connection. */
  end(): Step;
}

type Step = Promise<void> | void;

/** Who waits for a commit. */
interface Member {
  isRelaxed: boolean;
  /** When it came, on the clock of `performance`. */
  since: number;
  /** Does the member's work within the transaction; gives what tells the caller that it was committed. */
  run(): Promise<() => void>;
  fail(error: unknown): void;
}

/** A member whose work is over, and what it is told once the transaction is committed. */
interface Finished {
  member: Member;
  tell(): void;
}

/**
 * Commits what writers do at the same time together, as one transaction: to wait for the disk costs as much as most
 * changes do, and a group waits once. The members work one after another, each on what those before it left, and are told
 * when all is committed. One that fails is undone by itself; when the commit fails, all have failed (OP-168). With 32
 * clients a server makes four times as many changes.
 */
export class GroupCommit {
  readonly #steps: TransactionSteps;
  readonly #waiting: Member[] = [];
  #working: Promise<void> | undefined;
  #lastCommitMs = 0;

  constructor(steps: TransactionSteps) {
    this.#steps = steps;
  }

  /** Runs `work` within a transaction that may be others' too; resolves when it is committed. */
  write<T>(work: () => Promise<T>, isRelaxed: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async () => {
        const value = await work();
        return () => resolve(value);
      };
      this.#waiting.push({ isRelaxed, since: performance.now(), run, fail: reject });
      this.#working ??= this.#work();
    });
  }

  /** Resolves when nobody waits for a commit. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  async #work(): Promise<void> {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      // A turn of the event loop: what has arrived by now is read, and who writes joins.
      await setImmediate();
      let isRelaxed = false;
      const chooseMode = () => {
        isRelaxed = this.#waiting.slice(0, membersMax).every((member) => member.isRelaxed);
        return isRelaxed;
      };
      try {
        await this.#steps.begin(chooseMode, first.since);
      } catch (error) {
        // Those behind it came later and may wait longer.
        this.#waiting.shift()?.fail(error);
        continue;
      }
      // All members are told what became of their work; whoever comes next is told when nothing more can be begun.
      await this.#commitGroup(isRelaxed).catch(() => undefined);
    }
    this.#working = undefined;
  }

  async #commitGroup(isRelaxed: boolean): Promise<void> {
    try {
      await this.#runMembers(isRelaxed);
    } finally {
      await this.#steps.end();
    }
  }

  async #runMembers(isRelaxed: boolean): Promise<void> {
    const finished: Finished[] = [];
    const endsAt = performance.now() + this.#joiningMs();
    do {
      const member = this.#waiting.shift();
      if (member) await this.#runMember(member, finished);
    } while (finished.length > 0 && this.#mayJoin(finished.length, endsAt, isRelaxed));
    if (finished.length > 0) await this.#commit(finished);
  }

  /** For how long others may join a group: the first member waits for the last, and so does who reads. */
  #joiningMs(): number {
    return Math.min(Math.max(workPerCommit * this.#lastCommitMs, joiningMsMin), joiningMsMax);
  }

  /** Whether the next who waits may be one more member. */
  #mayJoin(members: number, endsAt: number, isRelaxed: boolean): boolean {
    const [next] = this.#waiting;
    if (!next || members >= membersMax || performance.now() >= endsAt) return false;
    return next.isRelaxed || !isRelaxed;
  }

  /**
   * The first member works without a savepoint: when it fails, nothing else is lost with the transaction. `finished` is
   * left empty when the transaction is over.
   */
  async #runMember(member: Member, finished: Finished[]): Promise<void> {
    const isFirst = finished.length === 0;
    try {
      if (!isFirst) await this.#steps.setSavepoint();
      const tell = await member.run();
      if (!isFirst) await this.#steps.releaseSavepoint();
      finished.push({ member, tell });
    } catch (error) {
      if (isFirst || !(await this.#undo())) await this.#abandon(finished, member, error);
      // What it was refused for may have been the work of others in the group, which nobody is told before the commit.
      else finished.push({ member, tell: () => member.fail(error) });
    }
  }

  /** Undoes the last member alone; false when that cannot be done. */
  async #undo(): Promise<boolean> {
    try {
      await this.#steps.rollBackToSavepoint();
      return true;
    } catch {
      return false;
    }
  }

  async #abandon(finished: Finished[], member: Member, error: unknown): Promise<void> {
    try {
      await this.#steps.rollBack();
    } finally {
      member.fail(error);
      for (const { member: earlier } of finished.splice(0)) earlier.fail(toLost(error));
    }
  }

  async #commit(finished: readonly Finished[]): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#steps.commit();
      this.#lastCommitMs = performance.now() - startedAt;
    } catch (error) {
      for (const { member } of finished) member.fail(error);
      return this.#steps.rollBack();
    }
    for (const { tell } of finished) tell();
  }
}

/** A group of 32 commits nearly as fast as one of any size. */
const membersMax = 64;

/** The slower the disk, the larger the groups: to wait for it takes a fifth of the time, unless a commit takes over 10 ms. */
const workPerCommit = 4;
const joiningMsMin = 5;
const joiningMsMax = 40;

/** What members are told whose changes the database rolled back because of another's. */
function toLost(error: unknown): unknown {
  if (error instanceof DispatchError && error.code === "store_unavailable") return error;
  return failure("store_unavailable", "The database rolled the changes back.", null, error);
}
