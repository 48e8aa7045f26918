import { defineOperation } from "../../core/operation.ts";
import { EventModel, eventModels } from "../../models/event.ts";
import { eventRecordFields } from "../../models/hook.ts";
import { Modelled } from "../../models/one-of.ts";
import { parseEventRecord, toEventPayload } from "../hooks/event-payload.ts";
import { requireTenantWide } from "../records.ts";

export const previewEvent = defineOperation({
  name: "events.preview",
  summary: "Show the event that a change of a record would write now; write none",
  route: "GET /events/preview",
  query: eventRecordFields,
  output: EventModel,
  allow: ["Admin", "Dispatcher"],
  extension: true,
  reads: {
    // It has the id and the moment of an event that would be written now.
    varies: "by-call",
  },
  async run({ actor, now, service, store, trace }, { query }) {
    requireTenantWide(actor);
    const { record, action } = parseEventRecord(query, "");
    const data = new Modelled(eventModels[record.kind], await toEventPayload(store, record));
    return {
      action,
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
