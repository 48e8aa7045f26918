import { setImmediate } from "node:timers/promises";
import { DispatchError, failure } from "../errors/errors.ts";
import { keepNotes, noteWait, withoutNotes } from "../runtime/noted-work.ts";
import { TimeCounts } from "../runtime/time-counts.ts";

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
  /** Whether somebody else waits for the connection. */
  isAwaited(): boolean;
}

type Step = Promise<void> | void;

/** Who waits for a commit. */
interface Member {
  tenantId: number;
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
 * clients a server makes four times as many changes. Tenants take turns, and who has little to write waits for few of
 * those of who has much (OP-218).
 */
export class GroupCommit {
  readonly #steps: TransactionSteps;
  readonly #waits: TimeCounts;
  readonly #waiting = new WaitingMembers();
  #working: Promise<void> | undefined;
  #lastCommitMs = 0;

  /** Counts in `waits` how long each writer waits until its work begins. */
  constructor(steps: TransactionSteps, waits = new TimeCounts([])) {
    this.#steps = steps;
    this.#waits = waits;
  }

  /** How many wait for their work to begin. */
  get waiting(): number {
    return this.#waiting.all().length;
  }

  /** Runs `work` within a transaction that may be others' too; resolves when it is committed. */
  async write<T>(tenantId: number, work: () => Promise<T>, isRelaxed: boolean): Promise<T> {
    const since = performance.now();
    let workedUntil: number | null = null;
    const value = await new Promise<T>((resolve, reject) => {
      const run = keepNotes(async () => {
        this.#waits.addMs(performance.now() - since);
        const value = await work();
        workedUntil = performance.now();
        return () => resolve(value);
      });
      this.#waiting.push({ tenantId, isRelaxed, since, run, fail: reject });
      this.#working ??= withoutNotes(() => this.#work());
    });
    if (workedUntil !== null) noteWait("commit", performance.now() - workedUntil);
    return value;
  }

  /** Resolves when nobody waits for a commit. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  async #work(): Promise<void> {
    for (let oldest = this.#waiting.oldest(); oldest; oldest = this.#waiting.oldest()) {
      // A turn of the event loop: what has arrived by now is read, and who writes joins.
      await setImmediate();
      let isRelaxed = false;
      const chooseMode = () => {
        isRelaxed = this.#waiting.all().every((member) => member.isRelaxed);
        return isRelaxed;
      };
      try {
        await this.#steps.begin(chooseMode, oldest.since);
      } catch (error) {
        // The others came later and may wait longer.
        this.#waiting.take(oldest).fail(error);
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
    const admit = this.#waiting.openGroup(isRelaxed);
    const finished: Finished[] = [];
    let workedMs = 0;
    let turnMs = 0;
    for (let member = admit(); member; member = admit()) {
      const startedAt = performance.now();
      await this.#runMember(member, finished);
      if (finished.length === 0) return;
      const tookMs = performance.now() - startedAt;
      workedMs += tookMs;
      turnMs += tookMs;
      if (turnMs >= turnMsMax) {
        // What has arrived is read, and who has little to write joins this group.
        await setImmediate();
        turnMs = 0;
      }
      if (workedMs >= this.#workMsMax()) break;
    }
    if (finished.length > 0) await this.#commit(finished);
  }

  /** For how long a group works: the first member waits for the last, and so does who reads. */
  #workMsMax(): number {
    const { msMin, perCommit } = this.#steps.isAwaited() ? workAwaited : work;
    return Math.min(Math.max(perCommit * this.#lastCommitMs, msMin), workMsMax);
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

/** Members that wait, by tenant. Tenants take turns within a group and among groups (OP-218). */
class WaitingMembers {
  /** The tenant that was served last stands last. */
  readonly #byTenant = new Map<number, Member[]>();

  push(member: Member): void {
    const own = this.#byTenant.get(member.tenantId);
    if (own) own.push(member);
    else this.#byTenant.set(member.tenantId, [member]);
  }

  all(): Member[] {
    return [...this.#byTenant.values()].flat();
  }

  oldest(): Member | undefined {
    let oldest: Member | undefined;
    for (const [first] of this.#byTenant.values())
      if (first && (!oldest || first.since < oldest.since)) oldest = first;
    return oldest;
  }

  /** Takes out the first member of a tenant. */
  take(first: Member): Member {
    const own = this.#byTenant.get(first.tenantId) ?? [];
    own.shift();
    this.#byTenant.delete(first.tenantId);
    if (own.length > 0) this.#byTenant.set(first.tenantId, own);
    return first;
  }

  /**
   * Returns what takes out the next member of a group: of the tenant that has the fewest there. undefined when the group has
   * all of its members. A relaxed group does not wait for the disk, so it takes no member that must.
   */
  openGroup(isRelaxed: boolean): () => Member | undefined {
    /** How many members of each tenant the group has. */
    const shares = new Map<number, number>();
    let members = 0;
    const shareOf = (tenantId: number) => shares.get(tenantId) ?? 0;
    return () => {
      const next = this.#findFewest(shareOf);
      if (!next || (isRelaxed && !next.isRelaxed) || members >= membersMax) return undefined;
      // A tenant with all of its changes in the group must not wait for more of another that has as many there.
      const isServed = [...shares.keys()].some((tenantId) => !this.#byTenant.has(tenantId));
      if (shares.size > 1 && shares.has(next.tenantId) && isServed) return undefined;
      members += 1;
      shares.set(next.tenantId, shareOf(next.tenantId) + 1);
      return this.take(next);
    };
  }

  #findFewest(shareOf: (tenantId: number) => number): Member | undefined {
    let fewest: Member | undefined;
    for (const [first] of this.#byTenant.values())
      if (first && (!fewest || shareOf(first.tenantId) < shareOf(fewest.tenantId))) fewest = first;
    return fewest;
  }
}

/** A group of 32 commits nearly as fast as one of any size. */
const membersMax = 64;

/** The slower the disk, the larger the groups: to wait for it takes a fifth of the time, unless a commit takes over 10 ms. */
const work = { msMin: 5, perCommit: 4 };

/** While somebody waits for the connection groups are smaller, and the disk takes a third of the time. */
const workAwaited = { msMin: 2.5, perCommit: 2 };

const workMsMax = 40;

/** After so long, in milliseconds, the event loop goes round in the midst of a group. */
const turnMsMax = 1;

/** What members are told whose changes the database rolled back because of another's. */
function toLost(error: unknown): unknown {
  if (error instanceof DispatchError && error.code === "store_unavailable") return error;
  return failure("store_unavailable", "The database rolled the changes back.", null, error);
}
