import type { JSX } from "preact";
import type { Call } from "../copies.ts";
import { serviceUrl } from "../session/session.ts";
import { CallCopies } from "./call-copies.tsx";
import type { Inspector, RecordedRequest } from "./inspector.ts";
import { Detail, Facts, PlaceLink, useLoaded } from "./panes.tsx";
import { emptyPlace } from "./place.ts";
import { Body, Headers, Json, toLocalTime, toVisible } from "./wire-text.tsx";

export function RequestDetail({
  inspector,
  onClose,
  requestId,
}: {
  inspector: Inspector;
  onClose: () => void;
  requestId: string;
}): JSX.Element {
  const { client, requests } = inspector;
  const read = (signal: AbortSignal) =>
    client.call("requests.get", { params: { request_id: requestId }, signal });
  const { code, value, why } = useLoaded(inspector, read, requestId);
  const listed = value ?? requests.entries.value.find(({ id }) => id === requestId)?.item;
  const title = listed ? `${listed.method} ${toVisible(listed.path)}` : "Request";
  return (
    <Detail title={title} onClose={onClose}>
      {listed && (
        <Facts
          facts={{
            Status: listed.status === -1 ? "aborted" : listed.status,
            Error: listed.code,
            Operation: listed.operation,
            Duration: `${listed.duration_ms} ms`,
            Finished: toLocalTime(listed.answered_on),
            Version: listed.version,
            Token: listed.token_name && toVisible(listed.token_name),
            Tenant: inspector.session.tenant.name,
            "Request id": requestId,
          }}
        />
      )}
      <p role="alert">{why}</p>
      {code === "state_conflict" && (
        <p>
          <code>dispatch-cli serve --inspect</code> keeps headers and bodies in memory, for Admins.
        </p>
      )}
      {value && <Contents inspector={inspector} recorded={value} />}
    </Detail>
  );
}

function Contents({ inspector, recorded }: { inspector: Inspector; recorded: RecordedRequest }): JSX.Element {
  const { answer, query, request } = recorded;
  return (
    <>
      {request && answer ? (
        <>
          <div class="actions">
            {request.body_omitted === null ? (
              <CallCopies call={toCall(recorded, inspector.session.tenant.id)} />
            ) : (
              <p class="quiet">This request cannot be copied: its body was not recorded.</p>
            )}
          </div>
          <h3>Request</h3>
          {query && <p class="wire">?{toVisible(query)}</p>}
          <Message label="Body of the request" {...request} />
          <h3>Response</h3>
          <Message label="Body of the response" {...answer} />
        </>
      ) : (
        <p class="quiet">The server no longer keeps the headers and bodies of this request.</p>
      )}
      <Audit entries={recorded.audit} />
      <h3>Events</h3>
      <Events inspector={inspector} events={recorded.events} />
    </>
  );
}

type RecordedMessage = NonNullable<RecordedRequest["request"]>;

const Message = ({ label, body, body_bytes, body_omitted, headers }: RecordedMessage & { label: string }) => (
  <>
    <Body
      label={label}
      text={body}
      why={body_omitted ? `Body of ${body_bytes} bytes: ${omissions[body_omitted]}` : "No body."}
    />
    <Headers headers={headers} />
  </>
);

const omissions: Readonly<Record<NonNullable<RecordedMessage["body_omitted"]>, string>> = {
  too_long: "too long to keep.",
  not_json: "not JSON, so it may contain secrets.",
  not_read: "the server refused the request before reading it.",
};

const Audit = ({ entries }: { entries: RecordedRequest["audit"] }) => (
  <>
    <h3>Audit entries</h3>
    {entries.length === 0 && <p class="quiet">No changes.</p>}
    {entries.map(({ action, after, before, id, record_id, record_type, undone_on }) => (
      <details key={id}>
        <summary>{`${record_type} ${record_id} ${toVisible(action)}${undone_on ? " (undone)" : ""}`}</summary>
        <Json label={`Change of ${record_type} ${record_id}`} value={{ before, after }} />
      </details>
    ))}
  </>
);

function Events({
  events,
  inspector,
}: {
  events: RecordedRequest["events"];
  inspector: Inspector;
}): JSX.Element {
  if (events.length === 0) return <p class="quiet">No events.</p>;
  return (
    <ul class="links">
      {events.map(({ action, id, record_id, type }) => (
        <li key={id}>
          <PlaceLink places={inspector} to={{ ...emptyPlace, view: "events", entry: id }}>
            {`${type} ${record_id} ${toVisible(action)}`}
          </PlaceLink>
        </li>
      ))}
    </ul>
  );
}

/** Omits the Idempotency-Key: the service would return the first response. */
function toCall(recorded: RecordedRequest, tenantId: number): Call {
  const { method, operation, path, query, request, version } = recorded;
  const header = (name: string) => request?.headers[name];
  const base = new URL(serviceUrl).pathname;
  return {
    operation,
    method,
    path: base !== "/" && path.startsWith(`${base}/`) ? path.slice(base.length) : path,
    query: query ?? "",
    body: request?.body || null,
    version,
    tenantId,
    isDryRun: header("x-dry-run") === "true",
    ifMatch: header("if-match") ?? null,
  };
}
