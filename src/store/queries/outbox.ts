import { sql } from "kysely";
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

/** What a transaction makes due: the lowest id of an event with new deliveries; null when there is none. */
export interface CausedDeliveries {
  firstEventId: number | null;
}

/** What the transaction of a change writes beside it: events with their deliveries, and audit entries. */
export function outboxQueries(access: TenantAccess, caused: CausedDeliveries) {
  const keepEvent = async (event: NewEvent): Promise<number> => {
    const { id } = await access.insert("events", event).returning("id").executeTakeFirstOrThrow();
    return id;
  };
  return {
    /** Keeps an event without deliveries, for a caller who delivers it; gives its id. */
    keepEvent,
    /** Keeps an event, with a delivery for each active webhook that subscribes to its kind. */
    async addEvent(event: NewEvent, deliveryUuid: string): Promise<void> {
      const id = await keepEvent(event);
      const { numInsertedOrUpdatedRows: made = 0n } = await fanOut(access, id, event.kind, deliveryUuid);
      if (made > 0n) caused.firstEventId ??= id;
    },
    async addAuditEntry(entry: NewAuditEntry): Promise<void> {
      await access.insert("audit", entry).execute();
    },
    /** The first event that this transaction has made deliveries for; null when it has made none. */
    firstCaused: (): number | null => caused.firstEventId,
  };
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

/** Makes the deliveries of all webhooks in one statement. One behind a pending delivery of its record is not due yet. */
function fanOut(access: TenantAccess, eventId: number, kind: string, uuid: string) {
  const dueOn = sql<Timestamp | null>`case when exists (select 1 from deliveries as earlier
    where earlier.tenant_id = events.tenant_id and earlier.hook_id = hooks.id and earlier.kind = events.kind
    and earlier.record_id = events.record_id and earlier.status = 'pending') then null else events.created_on end`;
  const selection = access
    .selectUnseen("hooks")
    .innerJoin("events", (join) =>
      join.onRef("events.tenant_id", "=", "hooks.tenant_id").on("events.id", "=", eventId),
    )
    .where("hooks.deleted_at", "is", null)
    // The column holds a JSON array; the quotes keep one kind from matching within another.
    .where("hooks.events", "like", `%"${kind}"%`)
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
      toNumberedUuid(uuid, "hooks.id").as("uuid"),
    ])
    .orderBy("hooks.id");
  return access.insertFrom("deliveries", deliveryColumns, selection).executeTakeFirstOrThrow();
}

/** A UUID for each row of a selection: the given one, its last twelve digits replaced by the row's number. */
export function toNumberedUuid(uuid: string, id: "deliveries.id" | "hooks.id") {
  return sql<string>`${uuid.slice(0, 24)} || substr(cast(1000000000000 + ${sql.ref(id)} as text), 2)`;
}
