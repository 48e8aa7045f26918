import { type Timestamp, toNextMoment } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement } from "../access/compiled.ts";

/** One time for all changes of a transaction. */
export interface ChangeStamp {
  prepare(): Promise<unknown>;
  at(now: Timestamp): Promise<Timestamp>;
}

/** Always after the tenant's earlier commits, so that readers miss none. Needs the tenant's lock. */
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
