import { sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import {
  defineStatement,
  type ListParameter,
  type Parameter,
  type ParametersOf,
} from "../access/compiled.ts";
import type { DeliveryStatus } from "../schema/database.ts";
import type { DueDelivery } from "./deliveries-due.ts";
import { type AttemptEntry, attemptLogQueries } from "./delivery-attempts.ts";

type AttemptAnswer = Pick<AttemptEntry, "attempt" | "httpStatus" | "message">;

export interface DeliveryOutcome {
  status: DeliveryStatus;
  /** null when it is finished. */
  nextAttemptOn: Timestamp | null;
  at: Timestamp;
}

export function finishDeliveryQueries(access: TenantAccess) {
  return { ...attemptLogQueries(access), ...attemptedDeliveries(access), ...affectedDeliveries(access) };
}

/** Both change only deliveries that the claim still holds: another worker may have claimed them since. */
function attemptedDeliveries(access: TenantAccess) {
  return {
    /** Finishes deliveries that one attempt delivered, with the same answer. */
    async finishTaken(
      due: readonly DueDelivery[],
      { attempt, httpStatus, message }: AttemptAnswer,
      at: Timestamp,
    ): Promise<void> {
      const leases = [...new Set(due.map(({ leasedBy }) => leasedBy))];
      const ids = due.map(({ id }) => id);
      await access.run(finishDelivered, { ids, leases, attempt, httpStatus, message, at });
    },

    async finish(
      { id, leasedBy }: DueDelivery,
      { attempt, httpStatus, message }: AttemptAnswer,
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
    /** Makes the next delivery of each record due, where it waited for a finished one. */
    async unblockNext(ids: readonly number[], at: Timestamp): Promise<void> {
      await access.run(unblock, { ids, at });
    },

    /** An attempt under way is still logged when it ends. */
    async cancelPending(hookId: number, at: Timestamp): Promise<void> {
      await access
        .update("deliveries")
        .set(cancelledAt(at))
        .where("hook_id", "=", hookId)
        .where("status", "=", "pending")
        .execute();
    },

    /** Pings do not count. */
    async haveFailed(hookId: number, since: Timestamp, count: number): Promise<boolean> {
      const rows = await access
        .selectUnseen("deliveries")
        .where("hook_id", "=", hookId)
        .where("attempt", ">", 0)
        .where("kind", "<>", "Ping")
        // A pending delivery with an attempt has failed within the longest wait between attempts.
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

export const cancelledAt = (at: Timestamp) =>
  ({
    finished_on: at,
    leased_by: null,
    leased_until: null,
    next_attempt_on: null,
    status: "cancelled",
  }) as const;

type Outcome = Pick<AttemptEntry, "attempt" | "httpStatus" | "message"> & { at: Timestamp };

interface Taken extends ParametersOf<Outcome> {
  ids: ListParameter<number>;
  leases: ListParameter<string>;
}

const finishDelivered = defineStatement(
  ({ update }: TenantQueries, { ids, leases, attempt, httpStatus, message, at }: Taken) =>
    update("deliveries")
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
      .where("id", ...ids)
      .where("leased_by", ...leases),
);

const unblock = defineStatement(
  (
    { selectUnseen, update }: TenantQueries,
    { ids, at }: { ids: ListParameter<number>; at: Parameter<Timestamp> },
  ) => {
    const next = selectUnseen("deliveries")
      .where("id", ...ids)
      .select(
        sql<number>`(select min(next.id) from deliveries as next
          where next.tenant_id = deliveries.tenant_id and next.hook_id = deliveries.hook_id
          and next.kind = deliveries.kind and next.record_id = deliveries.record_id
          and next.status = 'pending')`.as("id"),
      );
    return update("deliveries")
      .set({ next_attempt_on: at })
      .where("id", "in", next)
      .where("next_attempt_on", "is", null);
  },
);
