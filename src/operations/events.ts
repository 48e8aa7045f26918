import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import { EventListModel, EventModel, eventFilters, eventModels } from "../models/event.ts";
import { uuid } from "../models/fields.ts";
import { eventRecordFields } from "../models/hook.ts";
import { Modelled } from "../models/one-of.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import { keptForEver } from "../models/retention.ts";
import type { StoredEvent } from "../store/queries/events.ts";
import { parseEventRecord, toEventPayload } from "./hooks/event-payload.ts";
import { found, requireTenantWide } from "./records.ts";

export const getEvent = defineOperation({
  name: "events.get",
  summary: "Show an event: what happened to a record, and the record after it",
  route: "GET /events/{event_id}",
  params: { event_id: uuid() },
  output: EventModel,
  allow: ["Admin", "Dispatcher"],
  reads: {
    // Event ids have no index, so an unknown id scans the whole log.
    isSearch: true,
  },
  extension: true,
  async run({ store }, { params: { event_id: uuid } }) {
    return toEvent(found(await store.events.find(uuid), "event", uuid));
  },
});

export const listEvents = defineOperation({
  name: "events.list",
  summary: "List the events of records, oldest first, as webhooks receive them",
  route: "GET /events",
  query: { ...paging, ...eventFilters },
  output: EventListModel,
  allow: ["Admin", "Dispatcher"],
  extension: true,
  refuses: ["unknown_reference"],
  async run({ store }, { query }) {
    const { after: uuid = null } = query;
    const after = uuid === null ? null : await store.events.numberOf(uuid);
    if (after === undefined) {
      const detail = `after: event ${uuid} does not exist; the tenant keeps events for ${await keptFor(store)}, and deletes older ones. Leave it out to read from the oldest on.`;
      throw failure("unknown_reference", detail, "after");
    }
    const wanted = toPaging(query);
    const page = await store.events.page({ ...query, after }, wanted);
    return toList({ ...page, rows: page.rows.map(toEvent) }, wanted);
  },
});

/** Returns "forever now" if the rule changed after the event was removed. */
async function keptFor({ retention }: Context["store"]): Promise<string> {
  const rules = await retention.rules();
  const kept = rules.find(({ kind }) => kind === "events")?.keptFor ?? "";
  return kept === keptForEver ? "forever now" : kept;
}

/** The stored data is in the newest API version; its model converts it to the caller's. */
export function toEvent({ data, kind, uuid, ...event }: StoredEvent) {
  return { ...event, data: new Modelled(eventModels[kind], data), id: uuid, type: kind };
}

export const previewEvent = defineOperation({
  name: "events.preview",
  summary: "Show the event that a change of a record would write now, without writing it",
  route: "GET /events/preview",
  query: eventRecordFields,
  output: EventModel,
  allow: ["Admin", "Dispatcher"],
  extension: true,
  reads: {
    // Each call has a new id and time.
    varies: "by-call",
  },
  async run({ actor, now, service, store, trace }, { query }) {
    requireTenantWide(actor);
    const { record, action } = parseEventRecord(query, "");
    const data = new Modelled(eventModels[record.kind], await toEventPayload(store, record));
    return {
      action,
      cause: null,
      created_on: now,
      data,
      id: service.makeUuid(),
      record_id: record.id,
      trace_id: trace.id,
      trace_state: trace.state,
      type: record.kind,
    };
  },
});
