import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Column, EntryList } from "./entry-list.tsx";
import { Filters, narrow } from "./filters.tsx";
import { follow } from "./follow.ts";
import { inTurn, readHooks } from "./follow-deliveries.ts";
import { type CountedHook, HookDetail, healthLooks, NewHook, toHealth } from "./hook-detail.tsx";
import type { Hook, Inspector } from "./inspector.ts";
import { Panes } from "./panes.tsx";
import { toShortTime } from "./wire-text.tsx";

export function HooksView({ inspector }: { inspector: Inspector }): JSX.Element {
  const { go, hooks, isPaused, place, session } = inspector;
  const backlogs = useSignal<Backlogs>(new Map());
  useEffect(() => {
    const end = new AbortController();
    void followBacklogs(inspector, end.signal, (id, pending) => {
      backlogs.value = new Map(backlogs.value).set(id, pending);
    });
    return () => end.abort();
  }, []);
  const { entry } = place.value;
  const close = () => go({ entry: "" });
  const toEntry = (hook: Hook) => ({
    id: String(hook.id),
    item: { ...hook, pending: backlogs.value.get(hook.id) },
    at: "",
    arrival: 0,
    text: JSON.stringify({ ...hook, secret: "", standard_secret: "" }).toLowerCase(),
  });
  const entries = hooks.value.map(toEntry);
  const chosen = entries.find(({ id }) => id === entry)?.item;
  return (
    <Panes
      detail={
        entry === "new" ? (
          <NewHook inspector={inspector} onClose={close} />
        ) : (
          chosen && <HookDetail key={entry} hook={chosen} inspector={inspector} onClose={close} />
        )
      }
    >
      <Filters inspector={inspector}>
        {session.mayCall("hooks.create") && (
          <button type="button" onClick={() => go({ entry: "new" })}>
            New webhook
          </button>
        )}
      </Filters>
      <EntryList
        label="Webhooks"
        columns={columns}
        entries={narrow(entries, place.value, () => true)}
        lastArrival={() => 0}
        chosen={entry}
        isPaused={isPaused}
        none="No webhooks. “New webhook” adds the address of a receiver."
        onChoose={(id) => go({ entry: id })}
      />
    </Panes>
  );
}

type Backlogs = ReadonlyMap<number, number>;

const columns: readonly Column<CountedHook>[] = [
  { name: "name", title: "Webhook", textOf: ({ id, url }) => `${id} ${url}` },
  { name: "outcome", title: "Health", textOf: toHealth, lookOf: (hook) => healthLooks[toHealth(hook)] },
  { name: "record", title: "Pending", textOf: ({ pending }) => pending },
  { name: "next", title: "Last success", textOf: ({ last_http_success: at }) => toShortTime(at) },
  { name: "next", title: "Last failure", textOf: ({ last_http_fail: at }) => toShortTime(at) },
  { name: "event", title: "Events", textOf: ({ subscriptions }) => subscriptions.join(", ") },
];

function followBacklogs(
  inspector: Inspector,
  end: AbortSignal,
  onCount: (hookId: number, pending: number) => void,
): Promise<void> {
  const { client, hooks } = inspector;
  const query = { page_limit: 1, status: "pending" as const };
  const read = async (signal: AbortSignal) => {
    await readHooks(inspector, signal);
    for await (const { id } of inTurn([...hooks.peek()], signal)) {
      const { total_count } = await client.call("deliveries.list", {
        params: { hook_id: id },
        query,
        signal,
      });
      onCount(id, total_count);
    }
  };
  return follow(inspector, end, { read, leastMs: 1_000 });
}
