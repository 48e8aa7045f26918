import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { hookEvents } from "../../models/event-kinds.ts";
import { EntryList } from "./entry-list.tsx";
import type { Column } from "./entry-row.tsx";
import { EventDetail } from "./event-detail.tsx";
import { asOptions, Choice, Filters, narrow } from "./filters.tsx";
import { followEvents } from "./follow-events.ts";
import type { Inspector, LoggedEvent } from "./inspector.ts";
import { Panes } from "./panes.tsx";
import { toShortTime } from "./to-visible.ts";

/** What happens to records, as it happens. */
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
        none="No event yet that fits."
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

/** What people call a record by, where it has such. */
function nameOf(data: object): string {
  const { name, reference_number: reference }: { name?: unknown; reference_number?: unknown } = { ...data };
  return String(name ?? reference ?? "");
}
