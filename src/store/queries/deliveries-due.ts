import { sql } from "kysely";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { HookEvent } from "../../models/hook.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { DeliveryStatus } from "../schema/database.ts";
import { type Claim, claimDeliveries } from "./deliveries-claim.ts";

export type { Claim } from "./deliveries-claim.ts";

/** A delivery that was claimed, with all that its attempt needs. */
export interface DueDelivery {
  id: number;
  uuid: string;
  /** Attempts made so far. */
  attempt: number;
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
  recordId: number;
}

interface DueHook {
  id: number;
  apiVersion: ApiVersion;
  deletedAt: Timestamp | null;
  failingSince: Timestamp | null;
  oldSecret: string | null;
  oldSecretUntil: Timestamp | null;
  secret: string;
  url: string;
}

/** One attempt, for the delivery log; bodies are cut to what is kept. */
export interface AttemptEntry {
  deliveryId: number;
  /** Its number, from 1. */
  attempt: number;
  durationMs: number;
  /** −1 when the call did not succeed or complete. */
  httpStatus: number;
  message: string;
  request: { url: string; headers: Readonly<Record<string, string>>; body: string };
  response: { headers: Readonly<Record<string, string>>; body: string } | null;
  startedOn: Timestamp;
}

/** What an attempt leaves a delivery in. */
export interface DeliveryOutcome {
  status: DeliveryStatus;
  /** null when it is finished. */
  nextAttemptOn: Timestamp | null;
  at: Timestamp;
}

/** What a worker does with the deliveries of a tenant. */
export function dueDeliveryQueries(access: TenantAccess) {
  const ofClaim = (leasedBy: string) => access.update("deliveries").where("leased_by", "=", leasedBy);

  return {
    /** Takes deliveries of a webhook, the oldest first; of each record one at most. */
    async claim(claim: Claim): Promise<DueDelivery[]> {
      if ((await claimDeliveries(access, claim)) === 0) return [];
      const rows = await selectClaimed(access, claim).orderBy("deliveries.id").execute();
      return rows.map((row) => toDueDelivery(row, claim));
    },

    /** A claimed delivery with its webhook as it is now; undefined when it is no longer the claim's own. */
    async readAgain({ id, hook, leasedBy, leasedUntil }: DueDelivery): Promise<DueDelivery | undefined> {
      const lease = { hookId: hook.id, leasedBy, leasedUntil };
      const row = await selectClaimed(access, lease).where("deliveries.id", "=", id).executeTakeFirst();
      return row && toDueDelivery(row, lease);
    },

    /** Gives a claimed delivery back as it was: its attempt was not made. */
    async release({ id, leasedBy }: DueDelivery, now: Timestamp): Promise<void> {
      const due = { leased_by: null, leased_until: null, next_attempt_on: now };
      await ofClaim(leasedBy).set(due).where("id", "=", id).execute();
    },

    /** Keeps attempts in the log. */
    async addAttempts(entries: readonly AttemptEntry[]): Promise<void> {
      for (let from = 0; from < entries.length; from += entriesMax) {
        const rows = entries.slice(from, from + entriesMax).map(toAttemptRow);
        await access.insert("delivery_attempts", rows).execute();
      }
    },

    /** Finishes deliveries that were taken in the same attempt with the same answer; not those that others hold by now. */
    async finishTaken(
      due: readonly DueDelivery[],
      { attempt, httpStatus, message }: AttemptEntry,
      at: Timestamp,
    ): Promise<void> {
      const leases = [...new Set(due.map(({ leasedBy }) => leasedBy))];
      const ids = due.map(({ id }) => id);
      await access
        .update("deliveries")
        .set({
          attempt,
          finished_on: at,
          http_status: httpStatus,
          leased_by: null,
          leased_until: null,
          message,
          next_attempt_on: null,
          status: "delivered",
        })
        .where("id", "in", ids)
        .where("leased_by", "in", leases)
        .execute();
    },

    /** Writes what came of an attempt; nothing when the delivery is no longer the claim's own. */
    async finish(
      { id, leasedBy }: DueDelivery,
      { attempt, httpStatus, message }: AttemptEntry,
      { status, nextAttemptOn, at }: DeliveryOutcome,
    ): Promise<void> {
      await ofClaim(leasedBy)
        .set({
          attempt,
          finished_on: status === "pending" ? null : at,
          http_status: httpStatus,
          leased_by: null,
          leased_until: null,
          message,
          next_attempt_on: nextAttemptOn,
          status,
        })
        .where("id", "=", id)
        .execute();
    },

    /** Has what comes next of the records of these deliveries be due, where it waited for them and they are over. */
    async unblockNext(ids: readonly number[], at: Timestamp): Promise<void> {
      const next = access
        .selectUnseen("deliveries")
        .where("id", "in", ids)
        .select(
          sql<number>`(select min(next.id) from deliveries as next
            where next.tenant_id = deliveries.tenant_id and next.hook_id = deliveries.hook_id
            and next.kind = deliveries.kind and next.record_id = deliveries.record_id
            and next.status = 'pending')`.as("id"),
        );
      await access
        .update("deliveries")
        .set({ next_attempt_on: at })
        .where("id", "in", next)
        .where("next_attempt_on", "is", null)
        .execute();
    },

    /** Cancels whatever is pending for a webhook. An attempt under way is only logged when it ends. */
    async cancelPending(hookId: number, at: Timestamp): Promise<void> {
      await access
        .update("deliveries")
        .set({
          finished_on: at,
          leased_by: null,
          leased_until: null,
          next_attempt_on: null,
          status: "cancelled",
        })
        .where("hook_id", "=", hookId)
        .where("status", "=", "pending")
        .execute();
    },

    /** Whether at least `count` deliveries of a webhook, pings aside, have failed since a moment. */
    async haveFailed(hookId: number, since: Timestamp, count: number): Promise<boolean> {
      const rows = await access
        .selectUnseen("deliveries")
        .where("hook_id", "=", hookId)
        .where("attempt", ">", 0)
        .where("kind", "<>", "Ping")
        // What is pending after an attempt has failed within the longest wait between two attempts.
        .where((eb) =>
          eb.or([
            eb("status", "=", "pending"),
            eb.and([eb("status", "=", "failed"), eb("finished_on", ">=", since)]),
          ]),
        )
        .select("id")
        .orderBy("id", "desc")
        .limit(count)
        .execute();
      return rows.length === count;
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

/** A statement has a limited number of parameters. */
const entriesMax = 100;

function toAttemptRow(entry: AttemptEntry) {
  const { deliveryId, attempt, durationMs, httpStatus, message, request, response, startedOn } = entry;
  return {
    attempt,
    delivery_id: deliveryId,
    duration_ms: durationMs,
    http_status: httpStatus,
    message,
    request_body: request.body,
    request_headers: JSON.stringify(request.headers),
    response_body: response?.body ?? null,
    response_headers: response && JSON.stringify(response.headers),
    started_on: startedOn,
    url: request.url,
  };
}

type Lease = Pick<Claim, "hookId" | "leasedBy" | "leasedUntil">;

type ClaimedRow = Awaited<ReturnType<ReturnType<typeof selectClaimed>["execute"]>>[number];

function selectClaimed(access: TenantAccess, { hookId, leasedBy, leasedUntil }: Lease) {
  return (
    access
      .selectUnseen("deliveries")
      .where("deliveries.hook_id", "=", hookId)
      .where("deliveries.status", "=", "pending")
      // Both are equal in a lease; this one stands in the index.
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
      .select([
        "events.uuid as event_uuid",
        "events.action",
        "events.created_on",
        "events.data",
        "events.kind",
      ])
      .select(["hooks.api_version", "hooks.deleted_at", "hooks.failing_since", "hooks.old_secret"])
      .select(["hooks.old_secret_until", "hooks.secret", "hooks.url"])
  );
}

function toDueDelivery(row: ClaimedRow, { hookId, leasedBy, leasedUntil }: Lease): DueDelivery {
  return {
    id: row.id,
    uuid: row.uuid,
    attempt: row.attempt,
    leasedBy,
    leasedUntil,
    event: {
      uuid: row.event_uuid,
      action: row.action,
      createdOn: row.created_on,
      data: row.data,
      // Only kinds that webhooks can subscribe to have deliveries.
      kind: row.kind as HookEvent,
      recordId: row.record_id,
    },
    hook: {
      id: hookId,
      apiVersion: row.api_version,
      deletedAt: row.deleted_at,
      failingSince: row.failing_since,
      oldSecret: row.old_secret,
      oldSecretUntil: row.old_secret_until,
      secret: row.secret,
      url: row.url,
    },
  };
}
