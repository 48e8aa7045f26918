import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { hookEvents } from "../../models/event-kinds.ts";
import { type Column, EntryList } from "./entry-list.tsx";
import { asOptions, Choice, Filters, narrow } from "./filters.tsx";
import { followDeliveriesOf } from "./follow-deliveries.ts";
import { followEvents } from "./follow-events.ts";
import { type Inspector, type LoggedEvent, lookOfOutcome, toDeliveryEntry } from "./inspector.ts";
import { Detail, Facts, Panes, PlaceLink, useLoaded } from "./panes.tsx";
import { emptyPlace } from "./place.ts";
import { TriggerForm, toTriggered } from "./trigger-form.tsx";
import { Json, toLocalTime, toShortTime, toVisible } from "./wire-text.tsx";

export function EventsView({ inspector }: { inspector: Inspector }): JSX.Element {
  const { events, go, isPaused, place } = inspector;
  useEffect(() => {
    const end = new AbortController();
    void followEvents(inspector, end.signal);
    return () => end.abort();
  }, []);
  const { entry, kind } = place.value;
  const close = () => go({ entry: "" });
  return (
    <Panes
      detail={entry && <EventDetail key={entry} inspector={inspector} eventId={entry} onClose={close} />}
    >
      <Filters inspector={inspector}>
        <Choice inspector={inspector} name="kind" label="Kind" options={asOptions(hookEvents)} />
      </Filters>
      <EntryList
        label="Events"
        columns={columns}
        entries={narrow(events.entries.value, place.value, ({ type }) => kind === "" || type === kind)}
        lastArrival={events.lastArrival}
        chosen={entry}
        isPaused={isPaused}
        none="No matching events yet. Changes of records appear here as they happen."
        onChoose={(id) => go({ entry: id })}
      />
    </Panes>
  );
}

const columns: readonly Column<LoggedEvent>[] = [
  { name: "time", title: "Time", textOf: ({ created_on }) => toShortTime(created_on) },
  { name: "kind", title: "Kind", textOf: ({ type }) => type },
  { name: "action", title: "Action", textOf: ({ action }) => action },
  { name: "record", title: "Record", textOf: ({ record_id }) => record_id },
  { name: "name", title: "Name", textOf: ({ data }) => nameOf(data) },
];

function nameOf(data: object): string {
  const { name, reference_number: reference }: { name?: unknown; reference_number?: unknown } = { ...data };
  return String(name ?? reference ?? "");
}

function EventDetail({
  eventId,
  inspector,
  onClose,
}: {
  eventId: string;
  inspector: Inspector;
  onClose: () => void;
}): JSX.Element {
  const { client, events } = inspector;
  const listed = events.entries.value.find(({ id }) => id === eventId)?.item;
  // A link may lead to an event that is older than the list.
  const read = async (signal: AbortSignal) =>
    listed ?? client.call("events.get", { params: { event_id: eventId }, signal });
  const { value, why } = useLoaded(inspector, read, eventId);
  const event = listed ?? value;
  if (!event)
    return (
      <Detail title="Event" onClose={onClose}>
        <p role="alert">{why}</p>
      </Detail>
    );
  const { action, created_on, data, id, record_id, trace_id, type } = event;
  return (
    <Detail title={`${type} ${record_id} ${toVisible(action)}`} onClose={onClose}>
      <Facts facts={{ Happened: toLocalTime(created_on), "Event id": id, Trace: trace_id }} />
      <TriggerForm inspector={inspector} record={toTriggered(event)} hookId={null} />
      <h3>Deliveries</h3>
      <DeliveriesOf inspector={inspector} event={event} />
      <h3>Data</h3>
      <Json label="Data of the event" value={data} />
    </Detail>
  );
}

function DeliveriesOf({ event, inspector }: { event: LoggedEvent; inspector: Inspector }): JSX.Element {
  const { deliveries } = inspector;
  const isRead = useSignal(false);
  useEffect(() => {
    const end = new AbortController();
    const onRead = () => {
      isRead.value = true;
    };
    void followDeliveriesOf(inspector, event, onRead, end.signal);
    return () => end.abort();
  }, [event.id]);
  const found = deliveries.entries.value.filter(({ item }) => item.event_id === event.id);
  if (found.length === 0 && !isRead.value) return <p class="quiet">Reading …</p>;
  if (found.length === 0) return <p class="quiet">No deliveries.</p>;
  return (
    <ul class="links">
      {found.map(({ item }) => (
        <li key={toDeliveryEntry(item)}>
          <PlaceLink
            places={inspector}
            to={{ ...emptyPlace, view: "deliveries", entry: toDeliveryEntry(item) }}
          >
            {`to webhook ${item.hook_id}${item.is_replay ? ", replay" : ""}`}
          </PlaceLink>{" "}
          <span class={lookOfOutcome(item.status, item.http_status)}>{item.status}</span>
        </li>
      ))}
    </ul>
  );
}
