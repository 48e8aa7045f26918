import type { Selectable } from "kysely";
import type { DeliveryFilters } from "../../models/delivery.ts";
import type { HookEvent } from "../../models/event-kinds.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database, DeliveryStatus } from "../schema/database.ts";
import { replayQueries } from "./deliveries-replay.ts";
import { type Conditions, filterRows } from "./filters.ts";
import type { CausedDeliveries } from "./outbox.ts";
import { readPage } from "./pages.ts";

/** A page has only the last attempt. */
export interface LoggedDelivery {
  id: number;
  uuid: string;
  action: string;
  attempt: number;
  created_on: Timestamp;
  event_uuid: string;
  finished_on: Timestamp | null;
  hook_id: number;
  http_status: number | null;
  is_replay: boolean;
  kind: HookEvent;
  message: string | null;
  next_attempt_on: Timestamp | null;
  record_id: number;
  status: DeliveryStatus;
  attempts: LoggedAttempt[];
}

export type LoggedAttempt = ReturnType<typeof toAttempt>;

/** A ping: finished when it is stored. */
export interface FinishedDelivery {
  action: string;
  attempt: number;
  created_on: Timestamp;
  event_id: number;
  finished_on: Timestamp;
  hook_id: number;
  http_status: number;
  kind: HookEvent;
  message: string;
  record_id: number;
  status: DeliveryStatus;
  uuid: string;
}

export function deliveryQueries(access: TenantAccess, caused: CausedDeliveries) {
  return { ...deliveryLog(access), ...replayQueries(access, caused) };
}

function deliveryLog(access: TenantAccess) {
  return {
    async insertFinished(delivery: FinishedDelivery): Promise<number> {
      const { id } = await access.insert("deliveries", delivery).returning("id").executeTakeFirstOrThrow();
      return id;
    },

    async page(hookId: number, filters: DeliveryFilters, paging: Paging): Promise<Page<LoggedDelivery>> {
      const ofHook = access.select("deliveries").where("hook_id", "=", hookId);
      const matching = filterRows(access, ofHook, filters, conditions);
      const page = await readPage(access, matching, paging, (rows) =>
        rows.select("id").orderBy("id", "desc"),
      );
      const ids = page.rows.map(({ id }) => id);
      if (ids.length === 0) return { ...page, rows: [] };
      return { ...page, rows: await loadDeliveries(access, ids, await readLastAttempts(access, ids)) };
    },

    async find(hookId: number, uuid: string): Promise<LoggedDelivery | undefined> {
      const row = await access
        .select("deliveries")
        .where("uuid", "=", uuid.toLowerCase())
        .where("hook_id", "=", hookId)
        .select("id")
        .executeTakeFirst();
      if (!row) return undefined;
      const attempts = await access
        .select("delivery_attempts")
        .where("delivery_id", "=", row.id)
        .selectAll()
        .orderBy("id")
        .execute();
      const [delivery] = await loadDeliveries(access, [row.id], attempts);
      return delivery;
    },
  };
}

const conditions: Conditions<"deliveries", DeliveryFilters> = {
  status: (deliveries, value) => deliveries.where("status", "=", value),
  since: (deliveries, value) => deliveries.where("created_on", ">=", value),
  event: (deliveries, value) => deliveries.where("kind", "=", value),
};

function readLastAttempts(access: TenantAccess, ids: readonly number[]): Promise<AttemptRow[]> {
  return access
    .select("delivery_attempts")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("delivery_attempts as made")
        .where("made.tenant_id", "=", access.tenantId)
        .where("made.delivery_id", "in", ids)
        .groupBy("made.delivery_id")
        .select((made) => made.fn.max("made.id").as("id")),
    )
    .selectAll()
    .execute();
}

async function loadDeliveries(
  access: TenantAccess,
  ids: readonly number[],
  attempts: readonly AttemptRow[],
): Promise<LoggedDelivery[]> {
  const rows = await access
    .select("deliveries")
    .where("deliveries.id", "in", ids)
    .innerJoin("events", (join) =>
      join
        .onRef("events.tenant_id", "=", "deliveries.tenant_id")
        .onRef("events.id", "=", "deliveries.event_id"),
    )
    .selectAll("deliveries")
    .select("events.uuid as event_uuid")
    .orderBy("deliveries.id", "desc")
    .execute();
  return rows.map(({ tenant_id: _, event_id: __, leased_by: ___, leased_until, ...row }) => ({
    ...row,
    is_replay: Boolean(row.is_replay),
    kind: row.kind as HookEvent,
    // During an attempt, the time of the next one is unknown.
    next_attempt_on: leased_until === null ? row.next_attempt_on : null,
    attempts: attempts.filter(({ delivery_id }) => delivery_id === row.id).map(toAttempt),
  }));
}

type AttemptRow = Selectable<Database["delivery_attempts"]>;

function toAttempt(row: AttemptRow) {
  return {
    attempt: row.attempt,
    duration_ms: row.duration_ms,
    http_status: row.http_status,
    message: row.message,
    request: {
      body: row.request_body,
      headers: toHeaders(row.request_headers ?? "{}"),
      url: row.url,
    },
    response:
      row.response_headers === null
        ? null
        : {
            body: row.response_body,
            headers: toHeaders(row.response_headers),
            status: row.http_status,
          },
    started_on: row.started_on,
  };
}

/** Sorted, like all keys of a response. */
function toHeaders(text: string): Record<string, string> {
  const headers = Object.entries(JSON.parse(text) as Record<string, string>);
  return Object.fromEntries(headers.sort(([a], [b]) => (a < b ? -1 : 1)));
}
