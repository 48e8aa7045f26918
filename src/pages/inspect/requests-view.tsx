import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { DispatchError } from "../../errors/dispatch-error.ts";
import { isQuiet } from "../session/session-fetch.ts";
import { type Column, EntryList } from "./entry-list.tsx";
import { asOptions, Choice, distinct, Filters, narrow } from "./filters.tsx";
import { follow } from "./follow.ts";
import type { Inspector, ListedRequest } from "./inspector.ts";
import { Panes } from "./panes.tsx";
import type { InspectorPlace } from "./place.ts";
import { RequestDetail } from "./request-detail.tsx";
import { toShortTime } from "./wire-text.tsx";

export function RequestsView({ inspector }: { inspector: Inspector }): JSX.Element {
  const { found, go, happened, isPaused, place, requests, session } = inspector;
  useEffect(() => {
    const end = new AbortController();
    void followRequests(inspector, end.signal);
    return () => end.abort();
  }, []);
  const columns = useMemo(() => toColumns(session.tenant.name), []);
  const all = requests.entries.value;
  const { entry, own, text } = place.value;
  // Reads at once what the server finds.
  useEffect(() => {
    happened.value += 1;
  }, [text]);
  const close = () => go({ entry: "" });
  return (
    <Panes
      detail={entry && <RequestDetail key={entry} inspector={inspector} requestId={entry} onClose={close} />}
    >
      <Filters inspector={inspector}>
        <Choice
          inspector={inspector}
          name="method"
          label="Method"
          options={asOptions(distinct(all, methodOf))}
        />
        <Choice inspector={inspector} name="status" label="Status" options={statuses} />
        <Choice
          inspector={inspector}
          name="token"
          label="Token"
          options={asOptions(distinct(all, tokenOf))}
        />
        <label>
          <input
            type="checkbox"
            checked={own !== ""}
            onChange={({ currentTarget }) => go({ own: currentTarget.checked ? "shown" : "" })}
          />
          Reads by pages
        </label>
      </Filters>
      <EntryList
        label="Requests"
        columns={columns}
        entries={narrow(all, place.value, (item) => fits(item, place.value), found.value)}
        lastArrival={requests.lastArrival}
        chosen={entry}
        isPaused={isPaused}
        none="No matching requests yet. Calls of clients appear here as they happen."
        onChoose={(id) => go({ entry: id })}
      />
    </Panes>
  );
}

const statuses = [
  ["2", "2xx"],
  ["3", "3xx"],
  ["4", "4xx"],
  ["5", "5xx"],
  ["-", "aborted"],
] as const;

const methodOf = ({ method }: ListedRequest) => method;
const tokenOf = ({ token_id, token_name }: ListedRequest) => token_name ?? (token_id ? String(token_id) : "");

const fits = (item: ListedRequest, { method, own, status, token }: InspectorPlace) =>
  (method === "" || item.method === method) &&
  String(item.status).startsWith(status) &&
  (token === "" || tokenOf(item) === token) &&
  (own !== "" || !isQuiet(item));

const toColumns = (tenant: string): readonly Column<ListedRequest>[] => [
  { name: "time", title: "Time", textOf: ({ answered_on }) => toShortTime(answered_on) },
  { name: "method", title: "Method", textOf: methodOf },
  { name: "path", title: "Path", textOf: ({ path, query }) => (query ? `${path}?${query}` : path) },
  {
    name: "status",
    title: "Status",
    textOf: ({ status }) => (status === -1 ? "none" : status),
    lookOf: ({ status }) => lookOfStatus(status),
  },
  { name: "ms", title: "ms", textOf: ({ duration_ms }) => duration_ms.toFixed(duration_ms < 10 ? 1 : 0) },
  { name: "version", title: "Version", textOf: ({ version }) => version },
  { name: "token", title: "Token", textOf: tokenOf },
  { name: "tenant", title: "Tenant", textOf: () => tenant },
];

const lookOfStatus = (status: number): string =>
  status < 0 || status >= 400 ? "alarm" : status < 300 ? "good" : "quiet";

const everyMs = 1_000;
const textMax = 256;

function followRequests(inspector: Inspector, end: AbortSignal): Promise<void> {
  const { client, found, place, requests } = inspector;
  let after: string | null = null;
  let searched = "";
  const read = async (signal: AbortSignal) => {
    const text = place.peek().text.trim().slice(0, textMax);
    if (text !== searched) {
      after = null;
      searched = text;
      found.value = new Set();
    }
    const query = { ...(after !== null && { after }), ...(text !== "" && { text }) };
    const { cursor, results } = await client
      .call("requests.tail", { query, signal })
      .catch((error: unknown) => {
        // A cursor of another server is unknown here. The next read starts over.
        if (error instanceof DispatchError && error.code === "unknown_reference") after = null;
        else throw error;
        return { cursor: null, results: [] };
      });
    after = cursor;
    requests.add(results);
    if (text === "" || results.length === 0) return;
    found.value = new Set([...found.value, ...results.map(({ request_id }) => request_id)]);
  };
  return follow(inspector, end, { read, pauseMs: () => everyMs });
}
