import { defineOperation } from "../../core/operation.ts";
import { EventModel } from "../../models/event.ts";
import { uuid } from "../../models/fields.ts";
import { found } from "../records.ts";
import { toEvent } from "./list-events.ts";

export const getEvent = defineOperation({
  name: "events.get",
  summary: "Show an event: what happened to a record, and the record after it",
  route: "GET /events/{event_id}",
  params: { event_id: uuid() },
  output: EventModel,
  allow: ["Admin", "Dispatcher"],
  reads: {
    // Ids have no index: an id of nothing is looked for in the whole log.
    isSearch: true,
  },
  extension: true,
  async run({ store }, { params: { event_id: uuid } }) {
    return toEvent(found(await store.events.find(uuid), "event", uuid));
  },
});
