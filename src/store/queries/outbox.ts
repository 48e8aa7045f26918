import { type Expression, sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter, type ParametersOf } from "../access/compiled.ts";

export interface NewEvent {
  action: string;
  /** The request, as JSON; null for an event without a change. */
  cause: string | null;
  created_on: Timestamp;
  /** The record in the newest API version, as JSON. */
  data: string;
  kind: string;
  /** The former values of changed fields, as JSON; null for a new record. */
  previous: string | null;
  record_id: number;
  trace_id: string | null;
  trace_span: string | null;
  trace_state: string | null;
  uuid: string;
}

export interface NewAuditEntry {
  action: string;
  /** Changed fields as JSON; null for a new or deleted record. */
  before: string | null;
  after: string | null;
  created_on: Timestamp;
  operation: string;
  record_id: number;
  record_type: string;
  request_id: string;
  token_id: number | null;
  trace_id: string | null;
  user_id: number;
}

type EventPart = Omit<NewEvent, "action" | "created_on" | "record_id" | "trace_id">;

/** `event` is null if webhooks cannot subscribe to its kind. */
export interface NewChange {
  audit: NewAuditEntry;
  event: EventPart | null;
}

/** The lowest event id among the transaction's deliveries; null without any. */
export interface CausedDeliveries {
  firstEventId: number | null;
  hasEvents?: boolean;
}

export function outboxQueries(access: TenantAccess, caused: CausedDeliveries) {
  return {
    /** Stores an event without deliveries, for a caller that delivers it. Returns the id. */
    async keepEvent(event: NewEvent): Promise<number> {
      const { id } = await access.insert("events", event).returning("id").executeTakeFirstOrThrow();
      return id;
    },
    /** Stores a delivery for each event and subscribed webhook. Must be the last call of a transaction. */
    async addChanges(changes: readonly NewChange[]): Promise<void> {
      caused.hasEvents ||= changes.some(({ event }) => event !== null);
      for (let start = 0; start < changes.length; start += changesPerStatement) {
        await addAtOnce(access, changes.slice(start, start + changesPerStatement), (made) => {
          if (made.length > 0) caused.firstEventId ??= Math.min(...made.map(({ event_id }) => event_id));
        });
      }
    },
    firstCaused: (): number | null => caused.firstEventId,
    hasEvents: (): boolean => caused.hasEvents === true,
  };
}

/** SQLite binds at most 32,766 values, and an audit entry has twelve. */
const changesPerStatement = 500;

type Take = (made: readonly { event_id: number }[]) => void;

async function addAtOnce(access: TenantAccess, changes: readonly NewChange[], take: Take): Promise<void> {
  if (!access.combinesInserts) return take(await addOneByOne(access, changes));
  const events = changes.flatMap(toEvents);
  if (events.length === 0) {
    const entries = changes.map(({ audit }) => audit);
    return access.last(access.insert("audit", entries).compile(), () => undefined);
  }
  const [one] = changes;
  // Compiled once for one change, as in nearly all transactions. Other combinations seldom repeat.
  const query =
    one?.event && changes.length === 1
      ? access.bind(insertChange, { ...one.audit, ...one.event })
      : insertTogether(access, changes, findLater(events)).compile();
  return access.last(query, take);
}

/** For databases whose statements insert into one table only: short statements, compiled once. */
async function addOneByOne(access: TenantAccess, changes: readonly NewChange[]) {
  const made: { event_id: number }[] = [];
  for (const change of changes) {
    await access.run(insertEntry, { ...change.audit });
    for (const event of toEvents(change)) {
      const [kept] = await access.run(insertEvent, event);
      if (kept) made.push(...(await access.run(fanOut, kept)));
    }
  }
  return made;
}

function toEvents({ audit: { action, created_on, record_id, trace_id }, event }: NewChange): NewEvent[] {
  return event ? [{ action, created_on, record_id, trace_id, ...event }] : [];
}

const insertEntry = defineStatement(({ insert }: TenantQueries, entry: ParametersOf<NewAuditEntry>) =>
  insert("audit", entry),
);

const insertEvent = defineStatement(({ insert }: TenantQueries, event: ParametersOf<NewEvent>) =>
  insert("events", event).returning("id"),
);

const fanOut = defineStatement((queries: TenantQueries, { id }: { id: Parameter<number> }) =>
  queries
    .insertFrom("deliveries", deliveryColumns, selectDeliveries(queries).where("events.id", "=", id))
    .returning("event_id"),
);

const insertChange = defineStatement(
  (
    queries: TenantQueries,
    {
      cause,
      data,
      kind,
      previous,
      trace_span,
      trace_state,
      uuid,
      ...audit
    }: ParametersOf<NewAuditEntry & EventPart>,
  ) =>
    insertTogether(queries, [
      { audit, event: { cause, data, kind, previous, trace_span, trace_state, uuid } },
    ]),
);

type ChangeRow = NewChange | { [Part in keyof NewChange]: ParametersOf<NonNullable<NewChange[Part]>> };

/** One statement, which does not see the deliveries that it creates. */
function insertTogether(
  queries: TenantQueries,
  changes: readonly ChangeRow[],
  later: readonly string[] = [],
) {
  const audited = queries.insert(
    "audit",
    changes.map(({ audit }) => audit),
  );
  const rows = changes.flatMap(({ audit: { action, created_on, record_id, trace_id }, event }) =>
    event ? [{ action, created_on, record_id, trace_id, ...event }] : [],
  );
  const events = queries.insert("events", rows).returning(eventColumns);
  return queries
    .insertFrom("deliveries", deliveryColumns, selectDeliveries(queries, later), { audited, events })
    .returning("event_id");
}

const eventColumns = ["action", "created_on", "id", "kind", "record_id", "tenant_id", "uuid"] as const;

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

/** A delivery has no due time while an earlier one of its record is pending, stored or in `later`. */
function selectDeliveries({ selectUnseen }: TenantQueries, later: readonly string[] = []) {
  const isBehind = sql<boolean>`exists (select 1 from deliveries as earlier
    where earlier.tenant_id = events.tenant_id and earlier.hook_id = hooks.id and earlier.kind = events.kind
    and earlier.record_id = events.record_id and earlier.status = 'pending')`;
  const isLater = later.length === 0 ? sql`` : sql`events.uuid in (${sql.join(later)}) or `;
  const dueOn = sql<Timestamp | null>`case when ${isLater}${isBehind} then null else events.created_on end`;
  return (
    selectUnseen("hooks")
      .innerJoin("events", (join) => join.onRef("events.tenant_id", "=", "hooks.tenant_id"))
      .where("hooks.deleted_at", "is", null)
      // The column holds a JSON array. The quotes keep one kind from matching within another.
      .where((eb) =>
        eb.or([
          eb("hooks.events", "like", sql<string>`'%"' || events.kind || '"%'`),
          eb("hooks.events", "like", sql<string>`'%"' || events.kind || ':' || events.action || '"%'`),
        ]),
      )
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
      .orderBy("hooks.id")
  );
}

function findLater(events: readonly NewEvent[]): string[] {
  const records = new Set<string>();
  return events.flatMap(({ kind, record_id, uuid }) => {
    const record = `${kind} ${record_id}`;
    if (records.has(record)) return [uuid];
    records.add(record);
    return [];
  });
}

/** Replaces the UUID's last twelve digits with the row's id. */
export function toNumberedUuid(uuid: Expression<string>, id: "deliveries.id" | "hooks.id") {
  return sql<string>`substr(${uuid}, 1, 24) || substr(cast(1000000000000 + ${sql.ref(id)} as text), 2)`;
}
