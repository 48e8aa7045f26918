import { type Timestamp, toNextMoment } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement } from "../access/compiled.ts";

/** One moment for everything that a transaction changes. */
export interface ChangeStamp {
  prepare(): Promise<unknown>;
  at(now: Timestamp): Promise<Timestamp>;
}

/**
 * The moment of a transaction's changes: the current time, but always later than every earlier commit of the tenant,
 * even if clocks differ. A reader that continues from its last change therefore finds every later one. The
 * transaction's lock excludes other writers of the tenant; on PostgreSQL it makes a reader wait for them.
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
