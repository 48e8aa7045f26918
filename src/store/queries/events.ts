import type { Selectable } from "kysely";
import type { RecordFilter } from "../../models/fields.ts";
import type { HookEvent } from "../../models/hook.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import type { NewEvent } from "./outbox.ts";
import { readPage } from "./pages.ts";

/** An event with its data parsed. */
export interface StoredEvent extends Omit<NewEvent, "data" | "kind"> {
  data: Record<string, unknown>;
  kind: HookEvent;
}

/** Which events; null keeps all. */
export interface EventFilters {
  /** The number that `numberOf` gave: only events that were written after it. */
  after: number | null;
  record: RecordFilter | null;
  since: Timestamp | null;
  type: HookEvent | null;
}

/** The events of changes, as a log that readers follow. */
export function eventQueries(access: TenantAccess) {
  return {
    /**
     * The number of an event. A tenant's numbers follow the order of its commits, because one transaction at a time
     * writes for it. The query looks at the newest events first: readers who follow the log ask for one of those.
     */
    async numberOf(uuid: string): Promise<number | undefined> {
      const named = access.select("events").where("uuid", "=", uuid.toLowerCase());
      return (await named.select("id").orderBy("id", "desc").limit(1).executeTakeFirst())?.id;
    },

    /** A page of the events that pass the filters, in the order in which they were written. */
    async page({ after, record, since, type }: EventFilters, paging: Paging): Promise<Page<StoredEvent>> {
      let matching = access.select("events");
      if (type !== null) matching = matching.where("kind", "=", type);
      if (record?.type) matching = matching.where("kind", "=", record.type);
      if (record?.id) matching = matching.where("record_id", "=", record.id);
      if (after !== null) matching = matching.where("id", ">", after);
      if (since !== null) matching = matching.where("created_on", ">=", since);
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toStoredEvent) };
    },
  };
}

function toStoredEvent({ action, created_on, data, kind, record_id, uuid }: Selectable<Database["events"]>) {
  return {
    action,
    created_on,
    data: JSON.parse(data) as StoredEvent["data"],
    kind: kind as HookEvent,
    record_id,
    uuid,
  };
}
