import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import { copyMark, heldMark } from "../metadata-keys.ts";
import type { Database } from "../schema/database.ts";
import type { SecretKeys } from "../secrets/secret-keys.ts";
import { sealedPrefix } from "../secrets/vault.ts";
import { leaseQueries, toPending } from "./backlog-leases.ts";
import { cancelledAt } from "./deliveries-finish.ts";

/** What `backlogQueries` gives. */
export type BacklogQueries = ReturnType<typeof backlogQueries>;

/** A webhook of some tenant. */
export interface Endpoint {
  tenantId: number;
  hookId: number;
}

/** A place among pending deliveries, in the order in which they are counted. */
export interface PendingPlace {
  tenantId: number;
  deliveryId: number;
}

/** The deliveries that are still to be made, of all tenants. */
export function backlogQueries(db: Kysely<Database>, keys: SecretKeys = []) {
  return {
    /**
     * The webhooks that have deliveries due, by id; in the unfinished copy of a store none has, nor while deliveries are held.
     * Those whose secret is encrypted with a key that is not here are left to processes with the key (OP-107).
     */
    async endpointsDue(now: Timestamp): Promise<Endpoint[]> {
      // Asked webhook by webhook, which is one look into an index each, however many deliveries are pending.
      return db
        .selectFrom("hooks")
        .where((eb) => eb.exists(pendingOf(eb).where("deliveries.next_attempt_on", "<=", now)))
        .where(isOpen("secret", keys))
        .where(isOpen("headers", keys))
        .where((eb) =>
          eb.not(
            eb.exists(eb.selectFrom("meta").where("key", "in", [copyMark, heldMark]).select("meta.key")),
          ),
        )
        .select(["hooks.tenant_id as tenantId", "hooks.id as hookId"])
        .orderBy("hooks.id")
        .execute();
    },

    /** When the next attempt of all deliveries is planned, or a lease ends; null when nothing is pending. */
    async nextAttempt(): Promise<Timestamp | null> {
      const rows = await db
        .selectFrom("hooks")
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

    /** Whether any tenant has a webhook that is active. */
    async hasHooks(): Promise<boolean> {
      const hook = await db
        .selectFrom("hooks")
        .where("deleted_at", "is", null)
        .select("id")
        .limit(1)
        .executeTakeFirst();
      return hook !== undefined;
    },

    /** When the oldest delivery that is still pending was made; null when nothing is pending. */
    async oldestPendingDelivery(): Promise<Timestamp | null> {
      // Asked tenant by tenant, which is one look into an index each.
      const rows = await db
        .selectFrom("tenants")
        .select((eb) =>
          eb
            .selectFrom("deliveries")
            .whereRef("deliveries.tenant_id", "=", "tenants.id")
            .where("deliveries.status", "=", "pending")
            .select("deliveries.created_on")
            .orderBy("deliveries.id")
            .limit(1)
            .as("oldest"),
        )
        .execute();
      return rows.flatMap(({ oldest }) => oldest ?? []).sort()[0] ?? null;
    },

    /**
     * Counts pending deliveries of all tenants behind a place, up to a number: one step of a count that holds nobody up,
     * however many there are. `next` is where to go on; null at the end.
     */
    async countPending(
      after: PendingPlace,
      stepMax: number,
    ): Promise<{ count: number; next: PendingPlace | null }> {
      // Both go through the index of what is pending alone, which the literals let the database choose.
      const behind = sql`from deliveries where status = 'pending'
        and (tenant_id, id) > (${after.tenantId}, ${after.deliveryId})`;
      const reached = await sql<{ tenant_id: number; id: number }>`
        select tenant_id, id ${behind} order by tenant_id, id limit 1 offset ${stepMax - 1}`.execute(db);
      const [last] = reached.rows;
      if (last) return { count: stepMax, next: { tenantId: last.tenant_id, deliveryId: last.id } };
      const rest = await sql<{ count: number | string }>`select count(*) as count ${behind}`.execute(db);
      return { count: Number(rest.rows[0]?.count ?? 0), next: null };
    },

    /** How many deliveries are pending for each webhook's URL. */
    async pendingByUrl(): Promise<{ url: string; count: number }[]> {
      const rows = await toPending(db)
        .select(["hooks.url", (eb) => eb.fn.countAll().as("count")])
        .groupBy("hooks.url")
        .execute();
      return rows.map(({ url, count }) => ({ url, count: Number(count) }));
    },

    /** The URLs of the webhooks that something is pending for; one look into an index for each, however much that is. */
    async urlsPending(): Promise<string[]> {
      const rows = await db
        .selectFrom("hooks")
        .where((eb) => eb.exists(pendingOf(eb)))
        .select("hooks.url")
        .execute();
      return rows.map(({ url }) => url);
    },

    /** Cancels all that is pending; gives how many deliveries that were. */
    async discardPending(at: Timestamp): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable("deliveries")
        .set({ ...cancelledAt(at), message: "Discarded: it was held and not let go on." })
        .where("status", "=", "pending")
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    ...leaseQueries(db),
  };
}

/** Whether a webhook's secrets are plain text, or encrypted with one of the keys. */
function isOpen(column: "headers" | "secret", keys: SecretKeys) {
  const stored = sql.ref(`hooks.${column}`);
  const isPlain = sql<boolean>`coalesce(${stored}, '') not like ${`${sealedPrefix}%`}`;
  if (keys.length === 0) return isPlain;
  const keyId = sql`substr(${stored}, ${sql.lit(sealedPrefix.length + 1)}, 16)`;
  return sql<boolean>`(${isPlain} or ${keyId} in (${sql.join(keys.map(({ id }) => id))}))`;
}

/** A pending delivery of a webhook. The limit keeps SQLite from a join that goes through all of them for each webhook. */
function pendingOf(eb: ExpressionBuilder<Database, "hooks">) {
  return eb
    .selectFrom("deliveries")
    .whereRef("deliveries.tenant_id", "=", "hooks.tenant_id")
    .whereRef("deliveries.hook_id", "=", "hooks.id")
    .where("deliveries.status", "=", "pending")
    .select("deliveries.id")
    .limit(sql.lit(1));
}
