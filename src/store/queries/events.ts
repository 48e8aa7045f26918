import { type Selectable, sql } from "kysely";
import type { EventCause, EventFilters } from "../../models/event.ts";
import type { HookEvent } from "../../models/event-kinds.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { type Conditions, filterRows } from "./filters.ts";
import type { NewEvent } from "./outbox.ts";
import { readPage } from "./pages.ts";

export interface StoredEvent extends Omit<NewEvent, "cause" | "data" | "kind" | "previous" | "trace_span"> {
  cause: EventCause | null;
  data: Record<string, unknown>;
  kind: HookEvent;
}

export interface LoggedEvent extends Omit<NewEvent, "kind" | "trace_id" | "trace_span" | "trace_state"> {
  id: number;
  kind: HookEvent;
}

/** `after` is an event's number, not its id. */
interface ListFilters extends Omit<EventFilters, "after"> {
  after?: number | null;
}

/** Reading so many events takes about one and 50 ms. */
const recentCounts = [1000, 30_000];

export function eventQueries(access: TenantAccess) {
  /** The number in the order of commits. No index has the uuid: readers ask for recent events, so these come first. */
  const numberOf = async (uuid: string): Promise<number | undefined> => {
    const named = sql`uuid = ${uuid.toLowerCase()}`;
    for (const count of [...recentCounts, null]) {
      const rows = access.selectUnseen("events").select(["id", "uuid"]).orderBy("id", "desc");
      const known = count === null ? rows : rows.limit(count);
      const ids = sql<number>`(select id from (${known}) as known where ${named} order by id desc limit 1)`;
      const found = await access.select("events").where("id", "=", ids).select("id").executeTakeFirst();
      if (found) return found.id;
    }
    return undefined;
  };
  return {
    numberOf,

    async find(uuid: string): Promise<StoredEvent | undefined> {
      const number = await numberOf(uuid);
      if (number === undefined) return undefined;
      const row = await access.select("events").where("id", "=", number).selectAll().executeTakeFirst();
      return row && toStoredEvent(row);
    },

    async newest(): Promise<Pick<LoggedEvent, "id" | "uuid"> | undefined> {
      return access.select("events").select(["id", "uuid"]).orderBy("id", "desc").limit(1).executeTakeFirst();
    },

    async following(after: number, limit: number): Promise<LoggedEvent[]> {
      const rows = access.select("events").where("id", ">", after).select(loggedColumns);
      const found = await rows.orderBy("id").limit(limit).execute();
      return found.map((row) => ({ ...row, kind: row.kind as HookEvent }));
    },

    async ofTrace(traceId: string, moments: readonly Timestamp[], limit: number): Promise<StoredEvent[]> {
      const rows = access.select("events").where("created_on", "in", moments).where("trace_id", "=", traceId);
      return (await rows.selectAll().orderBy("id").limit(limit).execute()).map(toStoredEvent);
    },

    async page(filters: ListFilters, paging: Paging): Promise<Page<StoredEvent>> {
      const matching = filterRows(access, access.select("events"), filters, conditions);
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toStoredEvent) };
    },
  };
}

const loggedColumns = [
  "action",
  "cause",
  "created_on",
  "data",
  "id",
  "kind",
  "previous",
  "record_id",
  "uuid",
] as const;

const conditions: Conditions<"events", ListFilters> = {
  type: (events, value) => events.where("kind", "=", value),
  record: (events, { type, id }) => {
    const ofType = type ? events.where("kind", "=", type) : events;
    return id ? ofType.where("record_id", "=", id) : ofType;
  },
  after: (events, value) => events.where("id", ">", value),
  since: (events, value) => events.where("created_on", ">=", value),
};

function toStoredEvent({ cause, data, kind, ...event }: Selectable<Database["events"]>): StoredEvent {
  const { action, created_on, record_id, trace_id, trace_state, uuid } = event;
  return {
    action,
    cause: cause === null ? null : (JSON.parse(cause) as EventCause),
    created_on,
    data: JSON.parse(data) as StoredEvent["data"],
    kind: kind as HookEvent,
    record_id,
    trace_id,
    trace_state,
    uuid,
  };
}
