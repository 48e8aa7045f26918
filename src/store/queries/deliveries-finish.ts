import { sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { DeliveryStatus } from "../schema/database.ts";
import type { DueDelivery } from "./deliveries-due.ts";

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

/** The state of a delivery after an attempt. */
export interface DeliveryOutcome {
  status: DeliveryStatus;
  /** null when it is finished. */
  nextAttemptOn: Timestamp | null;
  at: Timestamp;
}

/** What follows an attempt: its log, what becomes of its delivery, and what that means for others of the webhook. */
export function finishDeliveryQueries(access: TenantAccess) {
  return { ...attemptLog(access), ...attemptedDeliveries(access), ...affectedDeliveries(access) };
}

function attemptLog(access: TenantAccess) {
  return {
    /** Keeps attempts in the log. */
    async addAttempts(entries: readonly AttemptEntry[]): Promise<void> {
      for (let from = 0; from < entries.length; from += entriesMax) {
        const rows = entries.slice(from, from + entriesMax).map(toAttemptRow);
        await access.insert("delivery_attempts", rows).execute();
      }
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

/** Both change only deliveries that the claim still holds: another worker may have claimed them since. */
function attemptedDeliveries(access: TenantAccess) {
  return {
    /** Finishes deliveries whose receiver took them in the same attempt, with the same answer. */
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

    /** Writes what came of an attempt. */
    async finish(
      { id, leasedBy }: DueDelivery,
      { attempt, httpStatus, message }: AttemptEntry,
      { status, nextAttemptOn, at }: DeliveryOutcome,
    ): Promise<void> {
      await access
        .update("deliveries")
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
        .where("leased_by", "=", leasedBy)
        .where("id", "=", id)
        .execute();
    },
  };
}

function affectedDeliveries(access: TenantAccess) {
  return {
    /** Makes the next delivery of each of these deliveries' records due, where it waited for one that is over now. */
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

    /** Cancels all pending deliveries of a webhook. An attempt under way is still logged when it ends. */
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
        // A delivery that is pending after an attempt has failed not longer ago than the longest wait lasts.
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
  };
}
