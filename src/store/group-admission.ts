import type { TenantTurns } from "./tenant-turns.ts";

/** Who may become a member of a group that commits together. */
interface Candidate {
  tenantId: number;
  /** Whether its commit need not wait for the disk. */
  isRelaxed: boolean;
}

/** Decides who becomes a member of a group, and when it has all of its members (OP-218). */
export class GroupAdmission<Member extends Candidate> {
  readonly #waiting: TenantTurns<Member>;
  readonly #isRelaxed: boolean;
  /** How many members of each tenant there are. */
  readonly #shares = new Map<number, number>();
  #members = 0;

  /** The commit of a relaxed group does not wait for the disk. */
  constructor(waiting: TenantTurns<Member>, isRelaxed: boolean) {
    this.#waiting = waiting;
    this.#isRelaxed = isRelaxed;
  }

  /** Takes out the next member: of the tenant that has the fewest. undefined when the group is to be committed. */
  admit(): Member | undefined {
    const next = this.#waiting.findNext((tenantId) => this.#shares.get(tenantId) ?? 0);
    if (!next || (this.#isRelaxed && !next.isRelaxed)) return undefined;
    if (this.#members >= membersMax || this.#holdsUp(next.tenantId)) return undefined;
    this.#members += 1;
    this.#shares.set(next.tenantId, (this.#shares.get(next.tenantId) ?? 0) + 1);
    return this.#waiting.shift(next.tenantId);
  }

  /** Whether a tenant all of whose changes are in the group would wait for more of one that has as many there. */
  #holdsUp(tenantId: number): boolean {
    if (this.#shares.size <= 1 || !this.#shares.has(tenantId)) return false;
    for (const other of this.#shares.keys()) if (!this.#waiting.has(other)) return true;
    return false;
  }
}

/** A group of 32 commits nearly as fast as one of any size. */
const membersMax = 64;
