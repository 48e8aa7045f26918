import type { HookEvent } from "../../models/event-kinds.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { type Trace, toStoredTrace } from "../../runtime/trace.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type ParametersOf } from "../access/compiled.ts";
import type { Vault } from "../secrets/vault.ts";
import { lacksKey } from "../secrets/vault.ts";
import { type Claim, claimDeliveries } from "./deliveries-claim.ts";
import { type HookTarget, openSecrets, toHookTarget } from "./hook-target.ts";

/** A delivery that was claimed, with all that its attempt needs. */
export interface DueDelivery {
  id: number;
  uuid: string;
  /** Attempts made so far. */
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
  createdOn: Timestamp;
  /** The record, newest shape, as JSON. */
  data: string;
  kind: HookEvent;
  /** Its fields that changed, as they were before, as JSON; null of a new record. */
  previous: string | null;
  recordId: number;
  /** Of the request that made it; null where none did. */
  trace: Trace | null;
}

interface DueHook extends HookTarget {
  id: number;
  /** Its secret is encrypted with a key that is not here: another process has to deliver. */
  awaitsKey: boolean;
  deletedAt: Timestamp | null;
  failingSince: Timestamp | null;
  /** The most attempts that begin in a second; null: as many as it takes. */
  rateLimit: number | null;
}

/** How a worker comes by deliveries of a tenant and gives them back; deliveries-finish.ts has what follows an attempt. */
export function dueDeliveryQueries(access: TenantAccess, vault: Pick<Vault, "keys" | "open">) {
  const toDue = (row: ClaimedRow, lease: Lease) => toDueDelivery(row, lease, access.tenantId, vault);
  return {
    /** Takes deliveries of a webhook, the oldest first; of each record one at most. */
    async claim(claim: Claim): Promise<DueDelivery[]> {
      if ((await claimDeliveries(access, claim)) === 0) return [];
      const { hookId, leasedBy, leasedUntil } = claim;
      const rows = await access.run(findClaimed, { hookId, leasedBy, leasedUntil });
      return rows.map((row) => toDue(row, claim));
    },

    /** A claimed delivery with its webhook as it is now; undefined when the claim no longer holds it. */
    async readAgain({ id, hook, leasedBy, leasedUntil }: DueDelivery): Promise<DueDelivery | undefined> {
      const lease = { hookId: hook.id, leasedBy, leasedUntil };
      const [row] = await access.run(findClaimedAgain, { ...lease, id });
      return row && toDue(row, lease);
    },

    /** Makes a claimed delivery due again, as it was: its attempt was not made. */
    async release({ id, leasedBy }: DueDelivery, now: Timestamp): Promise<void> {
      await access
        .update("deliveries")
        .set({ leased_by: null, leased_until: null, next_attempt_on: now })
        .where("leased_by", "=", leasedBy)
        .where("id", "=", id)
        .execute();
    },

    /** How many deliveries of events from this one on are still to be made. */
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
      // A lease sets next_attempt_on and leased_until to the same time; only next_attempt_on is in the index.
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
      .select(["hooks.secret", "hooks.url"])
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
