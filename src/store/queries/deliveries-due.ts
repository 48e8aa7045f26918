import { sql } from "kysely";
import type { HookEvent } from "../../models/event-kinds.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { type Trace, toStoredTrace } from "../../runtime/trace.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type ParametersOf } from "../access/compiled.ts";
import { heldMark } from "../metadata-keys.ts";
import { lacksKey, type Vault } from "../secrets/vault.ts";
import { type HookTarget, openSecrets, toHookTarget } from "./hook-target.ts";

export interface DueDelivery {
  id: number;
  uuid: string;
  attempt: number;
  isReplay: boolean;
  leasedBy: string;
  leasedUntil: Timestamp;
  event: DueEvent;
  hook: DueHook;
}

interface DueEvent {
  uuid: string;
  action: string;
  cause: string | null;
  createdOn: Timestamp;
  data: string;
  kind: HookEvent;
  previous: string | null;
  recordId: number;
  trace: Trace | null;
}

interface DueHook extends HookTarget {
  id: number;
  /** Its secret needs a missing key, so another process delivers. */
  awaitsKey: boolean;
  deletedAt: Timestamp | null;
  failingSince: Timestamp | null;
  /** Attempts per second; null is unlimited. */
  rateLimit: number | null;
}

export function dueDeliveryQueries(access: TenantAccess, vault: Pick<Vault, "keys" | "open">) {
  const toDue = (row: ClaimedRow, lease: Lease) => toDueDelivery(row, lease, access.tenantId, vault);
  return {
    async claim(claim: Claim): Promise<DueDelivery[]> {
      if ((await claimDeliveries(access, claim)) === 0) return [];
      const { hookId, leasedBy, leasedUntil } = claim;
      const rows = await access.run(findClaimed, { hookId, leasedBy, leasedUntil });
      return rows.map((row) => toDue(row, claim));
    },

    /** Has the current state of the webhook. undefined if the claim has ended. */
    async readAgain({ id, hook, leasedBy, leasedUntil }: DueDelivery): Promise<DueDelivery | undefined> {
      const lease = { hookId: hook.id, leasedBy, leasedUntil };
      const [row] = await access.run(findClaimedAgain, { ...lease, id });
      return row && toDue(row, lease);
    },

    /** Makes a claimed delivery due again without an attempt. */
    async release({ id, leasedBy }: DueDelivery, now: Timestamp): Promise<void> {
      await access
        .update("deliveries")
        .set({ leased_by: null, leased_until: null, next_attempt_on: now })
        .where("leased_by", "=", leasedBy)
        .where("id", "=", id)
        .execute();
    },

    async countPending(firstEventId: number): Promise<number> {
      const pending = access
        .selectUnseen("deliveries")
        .where("status", "=", "pending")
        .where("event_id", ">=", firstEventId);
      return access.count(pending, Number.MAX_SAFE_INTEGER);
    },
  };
}

type Lease = Pick<Claim, "hookId" | "leasedBy" | "leasedUntil">;

type ClaimedRow = Awaited<ReturnType<ReturnType<typeof selectClaimed>["execute"]>>[number];

function selectClaimed(
  { selectUnseen }: TenantQueries,
  { hookId, leasedBy, leasedUntil }: ParametersOf<Lease>,
) {
  return (
    selectUnseen("deliveries")
      .where("deliveries.hook_id", "=", hookId)
      .where("deliveries.status", "=", "pending")
      // A lease sets next_attempt_on and leased_until to one time, and the index has next_attempt_on.
      .where("deliveries.next_attempt_on", "=", leasedUntil)
      .where("deliveries.leased_by", "=", leasedBy)
      .innerJoin("events", (join) =>
        join
          .onRef("events.tenant_id", "=", "deliveries.tenant_id")
          .onRef("events.id", "=", "deliveries.event_id"),
      )
      .innerJoin("hooks", (join) =>
        join
          .onRef("hooks.tenant_id", "=", "deliveries.tenant_id")
          .onRef("hooks.id", "=", "deliveries.hook_id"),
      )
      .select(["deliveries.id", "deliveries.uuid", "deliveries.attempt", "deliveries.record_id"])
      .select("deliveries.is_replay")
      .select([
        "events.uuid as event_uuid",
        "events.action",
        "events.cause",
        "events.created_on",
        "events.data",
        "events.kind",
        "events.previous",
        "events.trace_id",
        "events.trace_span",
        "events.trace_state",
      ])
      .select(["hooks.api_version", "hooks.deleted_at", "hooks.failing_since", "hooks.old_secret"])
      .select(["hooks.headers", "hooks.include_previous", "hooks.old_secret_until", "hooks.rate_limit"])
      .select(["hooks.include_cause", "hooks.secret", "hooks.url"])
  );
}

const findClaimed = defineStatement((queries: TenantQueries, lease: ParametersOf<Lease>) =>
  selectClaimed(queries, lease).orderBy("deliveries.id"),
);

const findClaimedAgain = defineStatement(
  (queries: TenantQueries, { id, ...lease }: ParametersOf<Lease & { id: number }>) =>
    selectClaimed(queries, lease).where("deliveries.id", "=", id),
);

function toDueDelivery(
  row: ClaimedRow,
  { hookId, leasedBy, leasedUntil }: Lease,
  tenantId: number,
  vault: Pick<Vault, "keys" | "open">,
): DueDelivery {
  const secrets = openSecrets(vault, tenantId, { ...row, id: hookId });
  return {
    id: row.id,
    uuid: row.uuid,
    attempt: row.attempt,
    isReplay: Boolean(row.is_replay),
    leasedBy,
    leasedUntil,
    event: {
      uuid: row.event_uuid,
      action: row.action,
      cause: row.cause,
      createdOn: row.created_on,
      data: row.data,
      // Only kinds that webhooks can subscribe to have deliveries.
      kind: row.kind as HookEvent,
      previous: row.previous,
      recordId: row.record_id,
      trace: toStoredTrace(row),
    },
    hook: {
      ...toHookTarget({ ...row, ...secrets }),
      id: hookId,
      awaitsKey: [row.secret, row.headers ?? ""].some((stored) => lacksKey(vault.keys, stored)),
      deletedAt: row.deleted_at,
      failingSince: row.failing_since,
      rateLimit: row.rate_limit,
    },
  };
}

export interface Claim {
  hookId: number;
  now: Timestamp;
  /** Unique for each claim. */
  leasedBy: string;
  leasedUntil: Timestamp;
  limit: number;
  /** Skips deliveries of earlier events; 0 skips none. */
  firstEventId: number;
}

/**
 * Claims due deliveries in one statement, so that no two workers claim the same. After the lease, a delivery is due
 * again, in case its worker died. A webhook gets the events of a record in order, so only a record's oldest pending
 * delivery has a due time.
 */
export async function claimDeliveries(access: TenantAccess, claim: Claim): Promise<number> {
  return (await access.run(claimDue, { ...claim })).length;
}

export const isFirstOfRecord = sql<boolean>`not exists (select 1 from deliveries as earlier
  where earlier.tenant_id = deliveries.tenant_id and earlier.hook_id = deliveries.hook_id
  and earlier.kind = deliveries.kind and earlier.record_id = deliveries.record_id
  and earlier.status = 'pending' and earlier.id < deliveries.id)`;

/** Frozen and inactive tenants send nothing. */
export const isOfLiveTenant = (tenantId: "deliveries.tenant_id" | "hooks.tenant_id") =>
  sql<boolean>`exists (select 1 from tenants where tenants.id = ${sql.ref(tenantId)} and tenants.is_active
    and tenants.frozen_reason is null)`;

/** A part of each claim, so that a hold applies to every process at once. */
const isNotHeld = sql<boolean>`not exists (select 1 from meta where key = ${sql.lit(heldMark)})
  and ${isOfLiveTenant("deliveries.tenant_id")}`;

const claimDue = defineStatement(
  (
    { selectUnseen, skipLocked, update }: TenantQueries,
    { hookId, now, leasedBy, leasedUntil, limit, firstEventId }: ParametersOf<Claim>,
  ) => {
    const due = selectUnseen("deliveries")
      .where("hook_id", "=", hookId)
      .where("status", "=", "pending")
      .where("next_attempt_on", "<=", now)
      .where("event_id", ">=", firstEventId)
      .where(isFirstOfRecord)
      .where(isNotHeld)
      .select("id")
      .orderBy("next_attempt_on")
      .orderBy("id")
      .limit(limit);
    return (
      update("deliveries")
        .set({ leased_by: leasedBy, leased_until: leasedUntil, next_attempt_on: leasedUntil })
        .where("id", "in", skipLocked(due))
        // Repeated on the row, because another worker may have claimed it. `is true` avoids an unsuitable index.
        .where(sql<boolean>`(status = 'pending') is true`)
        .where(sql<boolean>`(next_attempt_on <= ${now}) is true`)
        .returning("id")
    );
  },
);
