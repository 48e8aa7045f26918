import { type Timestamp, toNextMoment } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement } from "../access/compiled.ts";

/** When a transaction changes jobs: one moment for all that it changes. */
export interface ChangeStamp {
  /** Reads what it needs to know. */
  prepare(): Promise<unknown>;
  at(now: Timestamp): Promise<Timestamp>;
}

/**
 * Gives the moment of a transaction's changes: now, and later than all that was committed for the tenant before, whatever
 * clock those went by. So who goes on from the last change that was read finds every later one (OP-101). It is read in the
 * transaction, whose lock keeps the tenant's other writers away, or on PostgreSQL makes a reader wait for them.
 */
export function createChangeStamp(access: TenantAccess): ChangeStamp {
  let last: Promise<Timestamp | undefined> | undefined;
  const readLast = async () => (await access.run(findLastChange, {}))[0]?.changed_on;
  const prepare = () => {
    last ??= readLast();
    return last;
  };
  return {
    prepare,
    async at(now) {
      const before = await prepare();
      return before === undefined || before < now ? now : toNextMoment(before);
    },
  };
}

const findLastChange = defineStatement(({ selectUnseen }: TenantQueries, _: object) =>
  selectUnseen("jobs").select("changed_on").orderBy("changed_on", "desc").limit(1),
);
