import { type Selectable, sql } from "kysely";
import type { HookEvent } from "../../models/hook.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database, DeliveryStatus } from "../schema/database.ts";
import { isFirstOfRecord } from "./deliveries-claim.ts";
import { type CausedDeliveries, deliveryColumns, toNumberedUuid } from "./outbox.ts";
import { type Matching, readPage } from "./pages.ts";

/** A delivery with its event's id and its attempts, the first first; in a page only the last one. */
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
  kind: HookEvent;
  message: string | null;
  next_attempt_on: Timestamp | null;
  record_id: number;
  status: DeliveryStatus;
  attempts: LoggedAttempt[];
}

export type LoggedAttempt = ReturnType<typeof toAttempt>;

/** A delivery that is over when it is written: a ping. */
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

/** Which deliveries of a webhook; null takes all. */
export interface DeliveryFilters {
  status: DeliveryStatus | null;
  /** Made at this moment or later. */
  since: Timestamp | null;
  event: HookEvent | null;
}

/** The delivery log, and what is sent once more. */
export function deliveryQueries(access: TenantAccess, caused: CausedDeliveries) {
  /** From now on anything of the tenant may be due. */
  const tellAll = (count: number) => {
    if (count > 0) caused.firstEventId = 0;
    return count;
  };

  /** Of each record the first delivery that is pending; the others wait for it. */
  const makeFirstsDue = async (hookId: number, now: Timestamp) => {
    await access
      .update("deliveries")
      .set({ next_attempt_on: now })
      .where("hook_id", "=", hookId)
      .where("status", "=", "pending")
      .where("next_attempt_on", "is", null)
      .where(isFirstOfRecord)
      .execute();
  };

  const withEvent = (ids: readonly number[]) =>
    access
      .select("deliveries")
      .where("deliveries.id", "in", ids)
      .innerJoin("events", (join) =>
        join
          .onRef("events.tenant_id", "=", "deliveries.tenant_id")
          .onRef("events.id", "=", "deliveries.event_id"),
      )
      .selectAll("deliveries")
      .select("events.uuid as event_uuid")
      .orderBy("deliveries.id", "desc");

  const load = async (ids: readonly number[], attempts: readonly AttemptRow[]): Promise<LoggedDelivery[]> => {
    if (ids.length === 0) return [];
    const rows = await withEvent(ids).execute();
    return rows.map(({ tenant_id: _, event_id: __, leased_by: ___, leased_until, ...row }) => ({
      ...row,
      // Only kinds that webhooks can subscribe to have deliveries.
      kind: row.kind as HookEvent,
      // While an attempt is under way nothing is known of a next one.
      next_attempt_on: leased_until === null ? row.next_attempt_on : null,
      attempts: attempts.filter(({ delivery_id }) => delivery_id === row.id).map(toAttempt),
    }));
  };

  return {
    async insertFinished(delivery: FinishedDelivery): Promise<number> {
      const { id } = await access.insert("deliveries", delivery).returning("id").executeTakeFirstOrThrow();
      return id;
    },

    /** Deliveries of a webhook, the newest first. */
    async page(hookId: number, filters: DeliveryFilters, paging: Paging): Promise<Page<LoggedDelivery>> {
      let matching = access.select("deliveries").where("hook_id", "=", hookId);
      if (filters.status !== null) matching = matching.where("status", "=", filters.status);
      if (filters.since !== null) matching = matching.where("created_on", ">=", filters.since);
      if (filters.event !== null) matching = matching.where("kind", "=", filters.event);
      const page = await readPage(access, matching, paging, (rows) =>
        rows.select("id").orderBy("id", "desc"),
      );
      const ids = page.rows.map(({ id }) => id);
      if (ids.length === 0) return { ...page, rows: [] };
      const last = await access
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
      return { ...page, rows: await load(ids, last) };
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
      const [delivery] = await load([row.id], attempts);
      return delivery;
    },

    /** Makes a new delivery of the same event, due now or in its turn; gives how many, which is one. */
    async replay(hookId: number, id: number, uuid: string, now: Timestamp): Promise<number> {
      const chosen = access.select("deliveries").where("deliveries.id", "=", id);
      const count = await insertCopies(access, chosen, uuid, now);
      await makeFirstsDue(hookId, now);
      return tellAll(count);
    },

    /**
     * Makes a new delivery of each event whose last delivery to the webhook was given up at a moment or later, pings
     * aside; gives how many.
     */
    async replayFailed(hookId: number, since: Timestamp, uuid: string, now: Timestamp): Promise<number> {
      const chosen = access
        .select("deliveries")
        .where("deliveries.hook_id", "=", hookId)
        .where("deliveries.status", "=", "failed")
        .where("deliveries.finished_on", ">=", since)
        .where("deliveries.kind", "<>", "Ping")
        .where(
          sql<boolean>`not exists (select 1 from deliveries as later where later.tenant_id = deliveries.tenant_id
            and later.event_id = deliveries.event_id and later.hook_id = deliveries.hook_id
            and later.id > deliveries.id)`,
        );
      const count = await insertCopies(access, chosen, uuid, now);
      await makeFirstsDue(hookId, now);
      return tellAll(count);
    },

    /** Has what was cancelled at a moment or later tried from the beginning, due now or in its turn; gives how many. */
    async resume(hookId: number, cancelledSince: Timestamp, now: Timestamp): Promise<number> {
      const { numUpdatedRows } = await access
        .update("deliveries")
        .set({ attempt: 0, finished_on: null, next_attempt_on: null, status: "pending" })
        .where("hook_id", "=", hookId)
        .where("status", "=", "cancelled")
        .where("finished_on", ">=", cancelledSince)
        .executeTakeFirstOrThrow();
      await makeFirstsDue(hookId, now);
      return tellAll(Number(numUpdatedRows));
    },
  };
}

async function insertCopies(
  access: TenantAccess,
  chosen: Matching<"deliveries">,
  uuid: string,
  now: Timestamp,
): Promise<number> {
  const selection = chosen
    .select([
      "deliveries.tenant_id",
      "deliveries.action",
      sql.lit(0).as("attempt"),
      sql<Timestamp>`${now}`.as("created_on"),
      "deliveries.event_id",
      "deliveries.hook_id",
      "deliveries.kind",
      sql.lit(null).as("next_attempt_on"),
      "deliveries.record_id",
      sql.lit("pending").as("status"),
      toNumberedUuid(uuid, "deliveries.id").as("uuid"),
    ])
    .orderBy("deliveries.id");
  const inserted = await access
    .insertFrom("deliveries", deliveryColumns, selection)
    .executeTakeFirstOrThrow();
  return Number(inserted.numInsertedOrUpdatedRows ?? 0n);
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

/** Sorted, as all keys of an answer are (OP-3). */
function toHeaders(text: string): Record<string, string> {
  const headers = Object.entries(JSON.parse(text) as Record<string, string>);
  return Object.fromEntries(headers.sort(([a], [b]) => (a < b ? -1 : 1)));
}
