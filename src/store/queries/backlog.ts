import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import { copyMark, heldMark } from "../metadata-keys.ts";
import type { Database } from "../schema/database.ts";
import type { SecretKeys } from "../secrets/secret-keys.ts";
import { sealedPrefix } from "../secrets/vault.ts";
import { leaseQueries, toPending } from "./backlog-leases.ts";
import { isOfLiveTenant } from "./deliveries-due.ts";
import { cancelledAt } from "./deliveries-finish.ts";
import { readHookHealth } from "./hook-health.ts";

export type BacklogQueries = ReturnType<typeof backlogQueries>;

export interface Endpoint {
  tenantId: number;
  hookId: number;
}

export interface PendingPlace {
  tenantId: number;
  deliveryId: number;
}

export function backlogQueries(db: Kysely<Database>, keys: SecretKeys = []) {
  return {
    /** Returns nothing while deliveries are held. Skips webhooks whose key is missing in this process. */
    async endpointsDue(now: Timestamp): Promise<Endpoint[]> {
      // One index lookup per webhook, however many deliveries are pending.
      return db
        .selectFrom("hooks")
        .where((eb) => eb.exists(pendingOf(eb).where("deliveries.next_attempt_on", "<=", now)))
        .where(isOpen("secret", keys))
        .where(isOpen("headers", keys))
        .where(isOfLiveTenant("hooks.tenant_id"))
        .where((eb) =>
          eb.not(
            eb.exists(eb.selectFrom("meta").where("key", "in", [copyMark, heldMark]).select("meta.key")),
          ),
        )
        .select(["hooks.tenant_id as tenantId", "hooks.id as hookId"])
        .orderBy("hooks.id")
        .execute();
    },

    /** Includes ends of leases. null if nothing is pending. */
    async nextAttempt(): Promise<Timestamp | null> {
      const rows = await db
        .selectFrom("hooks")
        .where(isOfLiveTenant("hooks.tenant_id"))
        .select((eb) =>
          pendingOf(eb)
            .where("deliveries.next_attempt_on", "is not", null)
            .clearSelect()
            .select("deliveries.next_attempt_on")
            .orderBy("deliveries.next_attempt_on")
            .limit(1)
            .as("next"),
        )
        .execute();
      return rows.flatMap(({ next }) => next ?? []).sort()[0] ?? null;
    },

    async hasHooks(): Promise<boolean> {
      const hook = await db
        .selectFrom("hooks")
        .where("deleted_at", "is", null)
        .select("id")
        .limit(1)
        .executeTakeFirst();
      return hook !== undefined;
    },

    oldestPendingDelivery: () => findOldest(db, "deliveries", sql<boolean>`status = 'pending'`),

    async frozenTenants(): Promise<{ id: number; reason: string }[]> {
      const rows = await db
        .selectFrom("tenants")
        .where("is_active", "=", true)
        .where("frozen_reason", "is not", null)
        .select(["id", "frozen_reason"])
        .orderBy("id")
        .execute();
      return rows.map(({ frozen_reason, id }) => ({ id, reason: frozen_reason ?? "" }));
    },

    oldestEvent: () => findOldest(db, "events", sql<boolean>`true`),

    /** Counts up to `stepMax` deliveries after a position. `next` is null at the end. */
    async countPending(
      after: PendingPlace,
      stepMax: number,
    ): Promise<{ count: number; next: PendingPlace | null }> {
      // Literals let the database choose the partial index of pending deliveries.
      const behind = sql`from deliveries where status = 'pending'
        and (tenant_id, id) > (${after.tenantId}, ${after.deliveryId})`;
      const reached = await sql<{ tenant_id: number; id: number }>`
        select tenant_id, id ${behind} order by tenant_id, id limit 1 offset ${stepMax - 1}`.execute(db);
      const [last] = reached.rows;
      if (last) return { count: stepMax, next: { tenantId: last.tenant_id, deliveryId: last.id } };
      const rest = await sql<{ count: number | string }>`select count(*) as count ${behind}`.execute(db);
      return { count: Number(rest.rows[0]?.count ?? 0), next: null };
    },

    async pendingByUrl(): Promise<{ url: string; count: number }[]> {
      const rows = await toPending(db)
        .select(["hooks.url", (eb) => eb.fn.countAll().as("count")])
        .groupBy("hooks.url")
        .execute();
      return rows.map(({ url, count }) => ({ url, count: Number(count) }));
    },

    hookHealth: (pendingMax: number) => readHookHealth(db, pendingMax),

    async urlsPending(): Promise<string[]> {
      const rows = await db
        .selectFrom("hooks")
        .where((eb) => eb.exists(pendingOf(eb)))
        .select("hooks.url")
        .execute();
      return rows.map(({ url }) => url);
    },

    async discardPending(at: Timestamp): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable("deliveries")
        .set({ ...cancelledAt(at), message: "Discarded while deliveries were held." })
        .where("status", "=", "pending")
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    ...leaseQueries(db),
  };
}

/** Of active tenants: one index lookup for each. */
async function findOldest(
  db: Kysely<Database>,
  table: "deliveries" | "events",
  isMeant: RawBuilder<boolean>,
): Promise<Timestamp | null> {
  const { rows } = await sql<{ oldest: Timestamp | null }>`
    select (select created_on from ${sql.table(table)} where tenant_id = tenants.id and ${isMeant} order by id limit 1)
      as oldest from tenants where is_active`.execute(db);
  return rows.flatMap(({ oldest }) => oldest ?? []).sort()[0] ?? null;
}

function isOpen(column: "headers" | "secret", keys: SecretKeys) {
  const stored = sql.ref(`hooks.${column}`);
  const isPlain = sql<boolean>`coalesce(${stored}, '') not like ${`${sealedPrefix}%`}`;
  if (keys.length === 0) return isPlain;
  const keyId = sql`substr(${stored}, ${sql.lit(sealedPrefix.length + 1)}, 16)`;
  return sql<boolean>`(${isPlain} or ${keyId} in (${sql.join(keys.map(({ id }) => id))}))`;
}

/** The limit keeps SQLite from a join that reads all pending deliveries for each webhook. */
function pendingOf(eb: ExpressionBuilder<Database, "hooks">) {
  return eb
    .selectFrom("deliveries")
    .whereRef("deliveries.tenant_id", "=", "hooks.tenant_id")
    .whereRef("deliveries.hook_id", "=", "hooks.id")
    .where("deliveries.status", "=", "pending")
    .select("deliveries.id")
    .limit(sql.lit(1));
}
