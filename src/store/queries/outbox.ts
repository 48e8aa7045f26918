import { type Expression, sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";

/** Something that happened to a record, as webhooks will be sent it (OP-74, OP-76). */
export interface NewEvent {
  action: string;
  created_on: Timestamp;
  /** The record, newest shape, as JSON. */
  data: string;
  kind: string;
  record_id: number;
  uuid: string;
}

/** A change and who made it. */
export interface NewAuditEntry {
  action: string;
  /** Changed fields as JSON; null when the record was made or is gone. */
  before: string | null;
  after: string | null;
  created_on: Timestamp;
  operation: string;
  record_id: number;
  record_type: string;
  request_id: string;
  token_id: number | null;
  user_id: number;
}

/** What is kept of a change: its audit entry, and its event when webhooks can subscribe to its kind. */
export interface NewChange {
  audit: NewAuditEntry;
  event: NewEvent | null;
}

/** What a transaction makes due: the lowest id of an event with new deliveries; null when there is none. */
export interface CausedDeliveries {
  firstEventId: number | null;
}

/** What the transaction of a change writes beside it: events with their deliveries, and audit entries. */
export function outboxQueries(access: TenantAccess, caused: CausedDeliveries) {
  return {
    /** Keeps an event without deliveries, for a caller who delivers it; gives its id. */
    async keepEvent(event: NewEvent): Promise<number> {
      const { id } = await access.insert("events", event).returning("id").executeTakeFirstOrThrow();
      return id;
    },
    /**
     * Keeps the changes of a transaction, in this order, with a delivery of each event for each active webhook that
     * subscribes to its kind. It is the last thing that a transaction does.
     */
    async addChanges(changes: readonly NewChange[]): Promise<void> {
      for (let start = 0; start < changes.length; start += changesPerStatement) {
        const eventIds = await addAtOnce(access, changes.slice(start, start + changesPerStatement));
        if (eventIds.length > 0) caused.firstEventId ??= Math.min(...eventIds);
      }
    },
    /** The first event that this transaction has made deliveries for; null when it has made none. */
    firstCaused: (): number | null => caused.firstEventId,
  };
}

/** SQLite binds 32,766 values at most, an audit entry has eleven. */
const changesPerStatement = 500;

/** Gives the ids of events that have deliveries. */
async function addAtOnce(access: TenantAccess, changes: readonly NewChange[]): Promise<number[]> {
  const entries = access.insert(
    "audit",
    changes.map(({ audit }) => audit),
  );
  const events = changes.flatMap(({ event }) => event ?? []);
  if (events.length === 0) {
    await entries.execute();
    return [];
  }
  const kept = access.insert("events", events).returning(eventColumns);
  if (access.combinesInserts) return fanOut(access, events, { also: { audited: entries, events: kept } });
  await entries.execute();
  const ids = (await kept.execute()).map(({ id }) => id);
  return fanOut(access, events, { ids });
}

/** The columns of a delivery that is still to be made. */
export const deliveryColumns = [
  "action",
  "attempt",
  "created_on",
  "event_id",
  "hook_id",
  "kind",
  "next_attempt_on",
  "record_id",
  "status",
  "uuid",
] as const;

/** What a delivery takes from its event. */
const eventColumns = ["action", "created_on", "id", "kind", "record_id", "tenant_id", "uuid"] as const;

/** Events that were inserted, by their ids; or inserts that the statement itself makes, by the names it reads them by. */
type Source = { ids: readonly number[] } | { also: Parameters<TenantAccess["insertFrom"]>[3] };

/**
 * Makes the deliveries of events for all webhooks in one statement, by event and then by webhook. One behind a pending
 * delivery of its record is not due yet. Gives the event's id of each delivery.
 */
async function fanOut(access: TenantAccess, made: readonly NewEvent[], source: Source): Promise<number[]> {
  const isBehind = sql<boolean>`exists (select 1 from deliveries as earlier
    where earlier.tenant_id = events.tenant_id and earlier.hook_id = hooks.id and earlier.kind = events.kind
    and earlier.record_id = events.record_id and earlier.status = 'pending')`;
  // The statement does not see the deliveries that it makes itself.
  const later = findLater(made);
  const isLater = later.length === 0 ? sql`` : sql`events.uuid in (${sql.join(later)}) or `;
  const dueOn = sql<Timestamp | null>`case when ${isLater}${isBehind} then null else events.created_on end`;
  const selection = access
    .selectUnseen("hooks")
    .innerJoin("events", (join) => join.onRef("events.tenant_id", "=", "hooks.tenant_id"))
    .$if("ids" in source, (rows) => rows.where("events.id", "in", "ids" in source ? source.ids : []))
    .where("hooks.deleted_at", "is", null)
    // The column holds a JSON array; the quotes keep one kind from matching within another.
    .where("hooks.events", "like", sql<string>`'%"' || events.kind || '"%'`)
    .select([
      "events.tenant_id",
      "events.action",
      sql.lit(0).as("attempt"),
      "events.created_on",
      "events.id as event_id",
      "hooks.id as hook_id",
      "events.kind",
      dueOn.as("next_attempt_on"),
      "events.record_id",
      sql.lit("pending").as("status"),
      toNumberedUuid(sql.ref("events.uuid"), "hooks.id").as("uuid"),
    ])
    .orderBy("events.id")
    .orderBy("hooks.id");
  const also = "also" in source ? source.also : {};
  const rows = await access
    .insertFrom("deliveries", deliveryColumns, selection, also)
    .returning("event_id")
    .execute();
  return rows.map(({ event_id }) => event_id);
}

/** The UUIDs of events whose record has an earlier event among them. */
function findLater(events: readonly NewEvent[]): string[] {
  const records = new Set<string>();
  return events.flatMap(({ kind, record_id, uuid }) => {
    const record = `${kind} ${record_id}`;
    if (records.has(record)) return [uuid];
    records.add(record);
    return [];
  });
}

/** A UUID for each row of a selection: the given one, its last twelve digits replaced by the row's number. */
export function toNumberedUuid(uuid: Expression<string>, id: "deliveries.id" | "hooks.id") {
  return sql<string>`substr(${uuid}, 1, 24) || substr(cast(1000000000000 + ${sql.ref(id)} as text), 2)`;
}
