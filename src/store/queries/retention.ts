import { sql } from "kysely";
import { type Retained, retentionKinds, retentionRules, toKeptMs } from "../../models/retention.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import { pruners } from "./retention-prune.ts";

/** A rule as it holds for the tenant, and what became of it. */
export interface RetentionRule {
  appliedOn: Timestamp | null;
  isDefault: boolean;
  keptFor: string;
  kind: Retained;
  removed: number;
  removedOn: Timestamp | null;
}

/** What there is of a kind. */
interface RetentionFacts {
  due: number;
  oldestOn: Timestamp | null;
  rows: number;
}

const dueMax = 100_000;
const rowsMax = 10_000_000;

/** The moment before which a rule lets rows go; null for none. */
export function toLimit({ keptFor }: Pick<RetentionRule, "keptFor">, now: Timestamp): Timestamp | null {
  const keptMs = toKeptMs(keptFor);
  // A rule may reach back before the first year that a timestamp has.
  return keptMs === null ? null : toTimestamp(Math.max(0, toEpochMs(now) - keptMs));
}

/** How long a tenant keeps what, and the removal of what is older (OP-335). */
export function retentionQueries(access: TenantAccess) {
  return {
    /** The rules of all kinds. */
    async rules(): Promise<RetentionRule[]> {
      const rows = await access.selectUnseen("retention").selectAll().execute();
      return retentionKinds.map((kind) => {
        const row = rows.find((known) => known.kind === kind);
        return {
          appliedOn: row?.applied_on ?? null,
          isDefault: (row?.kept_for ?? null) === null,
          keptFor: row?.kept_for ?? retentionRules[kind].keptFor,
          kind,
          removed: Number(row?.removed ?? 0),
          removedOn: row?.removed_on ?? null,
        };
      });
    },

    /** What there is of a kind, and how much of it a rule lets go. */
    async facts(rule: RetentionRule, now: Timestamp): Promise<RetentionFacts> {
      const { oldestOn, table } = pruners[rule.kind];
      const limit = toLimit(rule, now);
      return {
        due: limit === null ? 0 : await pruners[rule.kind].countDue(access, limit, dueMax),
        oldestOn: await oldestOn(access),
        rows: await access.count(access.selectUnseen(table), rowsMax),
      };
    },

    /** Whether there is anything that the rule lets go: one short read. */
    async isDue(rule: RetentionRule, now: Timestamp): Promise<boolean> {
      const limit = toLimit(rule, now);
      return limit !== null && (await pruners[rule.kind].countDue(access, limit, 1)) > 0;
    },

    /** Removes what the rule lets go: the oldest first, `max` at most. Gives how many. */
    async prune(rule: RetentionRule, now: Timestamp, max: number): Promise<number> {
      const limit = toLimit(rule, now);
      return limit === null ? 0 : pruners[rule.kind].prune(access, limit, max);
    },

    /** Sets a rule; null has the default hold again. */
    async set(kind: Retained, keptFor: string | null): Promise<void> {
      await access
        .insert("retention", { applied_on: null, kept_for: keptFor, kind, removed_on: null })
        .onConflict((conflict) => conflict.columns(["tenant_id", "kind"]).doUpdateSet({ kept_for: keptFor }))
        .execute();
    },

    /** Notes what was removed; `isDone`: nothing is left that the rule lets go. */
    async note(kind: Retained, removed: number, isDone: boolean, now: Timestamp): Promise<void> {
      const row = {
        applied_on: isDone ? now : null,
        kept_for: null,
        kind,
        removed,
        removed_on: removed > 0 ? now : null,
      };
      await access
        .insert("retention", row)
        .onConflict((conflict) =>
          conflict.columns(["tenant_id", "kind"]).doUpdateSet({
            removed: sql<number>`retention.removed + excluded.removed`,
            ...(isDone && { applied_on: now }),
            ...(removed > 0 && { removed_on: now }),
          }),
        )
        .execute();
    },
  };
}
