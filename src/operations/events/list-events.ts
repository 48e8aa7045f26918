import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { EventListModel, eventFilters, eventModels } from "../../models/event.ts";
import { Modelled } from "../../models/one-of.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import type { StoredEvent } from "../../store/queries/events.ts";

export const listEvents = defineOperation({
  name: "events.list",
  summary: "List what happened to records, oldest first, as webhooks are told of it",
  method: "GET",
  path: "/events",
  params: {},
  query: { ...paging, ...eventFilters },
  body: null,
  output: EventListModel,
  roles: ["Admin", "Dispatcher"],
  effect: "read",
  extension: true,
  refuses: ["unknown_reference"],
  async run({ store }, { query }) {
    const { after: uuid = null } = query;
    const after = uuid === null ? null : await store.events.numberOf(uuid);
    if (after === undefined) {
      const detail = `after: there is no event ${uuid}; events are kept for 30 days.`;
      throw failure("unknown_reference", detail, "after");
    }
    const wanted = toPaging(query);
    const page = await store.events.page({ ...query, after }, wanted);
    return toList({ ...page, rows: page.rows.map(toEvent) }, wanted);
  },
});

/** The data is kept in the newest shape; its model has it walked back to the caller's version. */
function toEvent({ data, kind, uuid, ...event }: StoredEvent) {
  return { ...event, data: new Modelled(eventModels[kind], data), id: uuid, type: kind };
}
