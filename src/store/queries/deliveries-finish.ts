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

type AttemptAnswer = Pick<AttemptEntry, "attempt" | "httpStatus" | "message">;

export interface DeliveryOutcome {
  status: DeliveryStatus;
  /** null if the delivery is finished. */
  nextAttemptOn: Timestamp | null;
  at: Timestamp;
}

export function finishDeliveryQueries(access: TenantAccess) {
  return { ...attemptLogQueries(access), ...attemptedDeliveries(access), ...affectedDeliveries(access) };
}

/** Change only deliveries that the claim still holds: another worker may have claimed them. */
function attemptedDeliveries(access: TenantAccess) {
  return {
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
    /** The next delivery of each record waits for a finished one. */
    async unblockNext(ids: readonly number[], at: Timestamp): Promise<void> {
      await access.run(unblock, { ids, at });
    },

    /** The result of a running attempt is still logged. */
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
        // A pending delivery that was attempted has failed within the longest delay between attempts.
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

/** Bodies are cut to the stored length. */
export interface AttemptEntry {
  deliveryId: number;
  attempt: number;
  durationMs: number;
  /** −1 if no complete response arrived. */
  httpStatus: number;
  message: string;
  request: { url: string; headers: Readonly<Record<string, string>>; body: string };
  response: { headers: Readonly<Record<string, string>>; body: string } | null;
  startedOn: Timestamp;
}

export function attemptLogQueries(access: TenantAccess) {
  return {
    async addAttempts(entries: readonly AttemptEntry[]): Promise<void> {
      for (let from = 0; from < entries.length; ) {
        const count = toCount(entries.length - from);
        const rows = entries.slice(from, from + count).map(toAttemptRow);
        await access.run(insertAttempts, toValues(rows), count);
        from += count;
      }
    },
  };
}

/** A statement has a limited number of parameters. */
const rowsMax = 64;

/** A power of two, so that few statements are compiled. */
function toCount(left: number): number {
  return Math.min(rowsMax, 2 ** Math.floor(Math.log2(left)));
}

type AttemptRow = ReturnType<typeof toAttemptRow>;

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

type Value = AttemptRow[keyof AttemptRow];

function toValues(rows: readonly AttemptRow[]): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [index, row] of rows.entries()) {
    for (const [column, value] of Object.entries(row)) values[`${column} ${index}`] = value;
  }
  return values;
}

const insertAttempts = defineStatement(
  ({ insert }: TenantQueries, values: Record<string, Parameter<Value>>, count: number) => {
    const rows = Array.from({ length: count }, (): Record<string, Parameter<Value>> => ({}));
    for (const [name, value] of Object.entries(values)) {
      const [column = "", index] = name.split(" ");
      const row = rows[Number(index)];
      if (row) row[column] = value;
    }
    // toValues gives the rows the columns of an AttemptRow.
    return insert("delivery_attempts", rows as unknown as AttemptRow[]);
  },
);
