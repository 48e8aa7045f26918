import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { hookEvents } from "../../models/event-kinds.ts";
import { DeliveryDetail } from "./delivery-detail.tsx";
import type { Column } from "./entry-list.tsx";
import { EntryList } from "./entry-list.tsx";
import { asOptions, Choice, Filters, narrow } from "./filters.tsx";
import { followDeliveries } from "./follow-deliveries.ts";
import type { Delivery, Hook, Inspector } from "./inspector.ts";
import { deliveryStatuses, lookOfOutcome } from "./inspector.ts";
import { Panes } from "./panes.tsx";
import type { InspectorPlace } from "./place.ts";
import { toShortTime } from "./wire-text.tsx";

export function DeliveriesView({ inspector }: { inspector: Inspector }): JSX.Element {
  const { deliveries, go, happened, hooks, isPaused, place } = inspector;
  useEffect(() => {
    const end = new AbortController();
    void followDeliveries(inspector, end.signal);
    return () => end.abort();
  }, []);
  const { entry, hook } = place.value;
  // Reads another webhook immediately.
  useEffect(() => {
    happened.value += 1;
  }, [hook]);
  const columns = useMemo(() => toColumns(hooks.value), [hooks.value]);
  const close = () => go({ entry: "" });
  return (
    <Panes
      detail={entry && <DeliveryDetail key={entry} inspector={inspector} entry={entry} onClose={close} />}
    >
      <Filters inspector={inspector}>
        <Choice inspector={inspector} name="hook" label="Webhook" options={hooks.value.map(toOption)} />
        <Choice inspector={inspector} name="status" label="Status" options={asOptions(deliveryStatuses)} />
        <Choice inspector={inspector} name="kind" label="Kind" options={asOptions(hookEvents)} />
      </Filters>
      <EntryList
        label="Deliveries"
        columns={columns}
        entries={narrow(deliveries.entries.value, place.value, (item) => fits(item, place.value))}
        lastArrival={deliveries.lastArrival}
        chosen={entry}
        isPaused={isPaused}
        none="No matching deliveries yet. Events appear here as the service sends them to webhooks."
        onChoose={(id) => go({ entry: id })}
      />
    </Panes>
  );
}

const toOption = ({ deleted_at, id, url }: Hook) =>
  [String(id), `${id} ${url.slice(0, 80)}${deleted_at ? " (deactivated)" : ""}`] as const;

const fits = ({ event, hook_id, status }: Delivery, wanted: InspectorPlace) =>
  (wanted.hook === "" || String(hook_id) === wanted.hook) &&
  (wanted.status === "" || status === wanted.status) &&
  (wanted.kind === "" || event === wanted.kind);

const toColumns = (hooks: readonly Hook[]): readonly Column<Delivery>[] => [
  { name: "time", title: "Time", textOf: ({ created_on }) => toShortTime(created_on) },
  { name: "hook", title: "Webhook", textOf: ({ hook_id }) => toHookText(hooks, hook_id) },
  { name: "event", title: "Event", textOf: ({ action, event }) => `${event} ${action}` },
  { name: "record", title: "Record", textOf: ({ record_id }) => record_id },
  { name: "attempts", title: "Attempts", textOf: ({ attempt }) => attempt },
  { name: "next", title: "Next attempt", textOf: ({ next_attempt_on }) => toShortTime(next_attempt_on) },
  {
    name: "outcome",
    title: "Status",
    textOf: ({ http_status, status }) =>
      http_status === null ? status : `${status} ${http_status < 0 ? "no answer" : http_status}`,
    lookOf: ({ http_status, status }) => lookOfOutcome(status, http_status),
  },
];

function toHookText(hooks: readonly Hook[], id: number): string {
  const hook = hooks.find((one) => one.id === id);
  return hook ? `${id} ${hook.description || hook.url.replace(/^https?:\/\//, "")}` : String(id);
}
