import { type Kysely, sql } from "kysely";
import { type Retained, retentionKinds, retentionRules, toKeptMs } from "../../models/retention.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { deleteTenantRows } from "./delete-tenant.ts";
import { pruners } from "./retention-prune.ts";

export interface RetentionRule {
  appliedOn: Timestamp | null;
  isDefault: boolean;
  keptFor: string;
  kind: Retained;
  removed: number;
  removedOn: Timestamp | null;
}

interface RetentionFacts {
  due: number;
  oldestOn: Timestamp | null;
  rows: number;
}

const dueMax = 100_000;
const rowsMax = 10_000_000;

/** Rows before this time are due; null for none. */
export function toLimit({ keptFor }: Pick<RetentionRule, "keptFor">, now: Timestamp): Timestamp | null {
  const keptMs = toKeptMs(keptFor);
  // A rule may reach back before the first year of timestamps.
  return keptMs === null ? null : toTimestamp(Math.max(0, toEpochMs(now) - keptMs));
}

export function retentionQueries(access: TenantAccess) {
  return {
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

    async facts(rule: RetentionRule, now: Timestamp): Promise<RetentionFacts> {
      const { oldestOn, table } = pruners[rule.kind];
      const limit = toLimit(rule, now);
      return {
        due: limit === null ? 0 : await pruners[rule.kind].countDue(access, limit, dueMax),
        oldestOn: await oldestOn(access),
        rows: await access.count(access.selectUnseen(table), rowsMax),
      };
    },

    async isDue(rule: RetentionRule, now: Timestamp): Promise<boolean> {
      const limit = toLimit(rule, now);
      return limit !== null && (await pruners[rule.kind].countDue(access, limit, 1)) > 0;
    },

    /** Deletes at most `max` rows, oldest first. Returns their number. */
    async prune(rule: RetentionRule, now: Timestamp, max: number): Promise<number> {
      const limit = toLimit(rule, now);
      return limit === null ? 0 : pruners[rule.kind].prune(access, limit, max);
    },

    async set(kind: Retained, keptFor: string | null): Promise<void> {
      await access
        .insert("retention", { applied_on: null, kept_for: keptFor, kind, removed_on: null })
        .onConflict((conflict) => conflict.columns(["tenant_id", "kind"]).doUpdateSet({ kept_for: keptFor }))
        .execute();
    },

    /** `isDone`: no due rows are left. */
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

export type HousekeepingQueries = ReturnType<typeof housekeepingQueries>;

const dayMs = 86_400_000;

export function housekeepingQueries(db: Kysely<Database>) {
  return {
    /** Tenants that keep a kind for less than a day, and tenants with an unfinished erasure. */
    async tenantsToLookAt(): Promise<number[]> {
      const rules = await db
        .selectFrom("retention")
        .where("kept_for", "is not", null)
        .select(["kept_for", "tenant_id"])
        .execute();
      const short = rules.filter(({ kept_for }) => (toKeptMs(kept_for ?? "") ?? dayMs) < dayMs);
      const erasing = await db
        .selectFrom("erasures")
        .where("finished_on", "is", null)
        .select("tenant_id")
        .execute();
      return [...short, ...erasing].map(({ tenant_id }) => tenant_id);
    },
    async tenantsToDelete(now: Timestamp): Promise<number[]> {
      const rows = await db.selectFrom("tenants").where("deletes_on", "<=", now).select("id").execute();
      return rows.map(({ id }) => id);
    },
    deleteTenantRows: (tenantId: number): Promise<number> => deleteTenantRows(db, tenantId),
  };
}
