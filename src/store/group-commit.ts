import { setImmediate } from "node:timers/promises";
import { DispatchError, failure } from "../errors/errors.ts";
import { keepNotes, noteWait, withoutNotes } from "../runtime/noted-work.ts";
import { TimeCounts } from "../runtime/time-counts.ts";

export interface TransactionSteps {
  /**
   * `since` is the caller's arrival, which limits the wait. `isRelaxed` decides whether the commit waits for the disk.
   */
  begin(isRelaxed: () => boolean, since: number): Step;
  setSavepoint(): Step;
  releaseSavepoint(): Step;
  /** Throws if the database has already rolled back. */
  rollBackToSavepoint(): Step;
  commit(): Step;
  /** Does nothing if the database has already rolled back, as SQLite does on a full disk. */
  rollBack(): Step;
  end(): Step;
  isAwaited(): boolean;
}

type Step = Promise<void> | void;

interface Member {
  tenantId: number;
  isRelaxed: boolean;
  since: number;
  /** Works in the transaction. Returns a function that reports the commit to the caller. */
  run(): Promise<() => void>;
  fail(error: unknown): void;
}

interface Finished {
  member: Member;
  report(): void;
}

/** Commits concurrent writes in one transaction, because each commit waits for the disk. Tenants take turns. */
export class GroupCommit {
  readonly #steps: TransactionSteps;
  readonly #waits: TimeCounts;
  readonly #waiting = new WaitingMembers();
  #working: Promise<void> | undefined;
  #lastCommitMs = 0;

  constructor(steps: TransactionSteps, waits = new TimeCounts([])) {
    this.#steps = steps;
    this.#waits = waits;
  }

  get waiting(): number {
    return this.#waiting.all().length;
  }

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

  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  async #work(): Promise<void> {
    for (let oldest = this.#waiting.oldest(); oldest; oldest = this.#waiting.oldest()) {
      // Lets the server read requests that have arrived, so that their writes join the group.
      await setImmediate();
      let isRelaxed = false;
      const chooseMode = () => {
        isRelaxed = this.#waiting.all().every((member) => member.isRelaxed);
        return isRelaxed;
      };
      try {
        await this.#steps.begin(chooseMode, oldest.since);
      } catch (error) {
        // Fails the oldest caller only: later callers may still wait.
        this.#waiting.take(oldest).fail(error);
        continue;
      }
      // The members know their result. The next `begin` reports a broken database.
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
        // Lets the server read requests, so that tenants with few writes join this group.
        await setImmediate();
        turnMs = 0;
      }
      if (workedMs >= this.#workMsMax()) break;
    }
    if (finished.length > 0) await this.#commit(finished);
  }

  #workMsMax(): number {
    const { msMin, perCommit } = this.#steps.isAwaited() ? workAwaited : work;
    return Math.min(Math.max(perCommit * this.#lastCommitMs, msMin), workMsMax);
  }

  /** The first member needs no savepoint: nothing else is in the transaction. An empty `finished` means a rollback. */
  async #runMember(member: Member, finished: Finished[]): Promise<void> {
    const isFirst = finished.length === 0;
    try {
      if (!isFirst) await this.#steps.setSavepoint();
      const report = await member.run();
      if (!isFirst) await this.#steps.releaseSavepoint();
      finished.push({ member, report });
    } catch (error) {
      if (isFirst || !(await this.#undo())) await this.#abandon(finished, member, error);
      // The error may depend on other members' uncommitted changes, so the caller gets it after the commit.
      else finished.push({ member, report: () => member.fail(error) });
    }
  }

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
    for (const { report } of finished) report();
  }
}

class WaitingMembers {
  /** In the order of service: the tenant served last is last. */
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

  take(first: Member): Member {
    const own = this.#byTenant.get(first.tenantId) ?? [];
    own.shift();
    this.#byTenant.delete(first.tenantId);
    if (own.length > 0) this.#byTenant.set(first.tenantId, own);
    return first;
  }

  /**
   * Takes members from the tenant with the fewest. A relaxed group does not wait for the disk: relaxed members only.
   */
  openGroup(isRelaxed: boolean): () => Member | undefined {
    const shares = new Map<number, number>();
    let members = 0;
    const shareOf = (tenantId: number) => shares.get(tenantId) ?? 0;
    return () => {
      const next = this.#findFewest(shareOf);
      if (!next || (isRelaxed && !next.isRelaxed) || members >= membersMax) return undefined;
      // A tenant whose changes are all in the group must not wait for extra changes of another tenant.
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

/** Larger groups are hardly faster than groups of 32. */
const membersMax = 64;

/** A group works four times as long as a commit takes. So a slow disk gets large groups. */
const work = { msMin: 5, perCommit: 4 };

const workAwaited = { msMin: 2.5, perCommit: 2 };

const workMsMax = 40;

const turnMsMax = 1;

function toLost(error: unknown): unknown {
  if (error instanceof DispatchError && error.code === "store_unavailable") return error;
  return failure("store_unavailable", "The database rolled the changes back.", null, error);
}
