import type { JSX } from "preact";
import { newestVersion } from "../../models/api-versions.ts";
import { toDeliveryCurl } from "../copies.ts";
import { CallCopies } from "./call-copies.tsx";
import type { Delivery, Inspector } from "./inspector.ts";
import { lookOfOutcome } from "./inspector.ts";
import { Detail, Facts, PlaceLink, useAction, useLoaded } from "./panes.tsx";
import { emptyPlace } from "./place.ts";
import { TriggerForm, toTriggered } from "./trigger-form.tsx";
import { VerifyForm } from "./verify-form.tsx";
import { Body, Headers, toLocalTime, toVisible } from "./wire-text.tsx";

export function DeliveryDetail({
  entry,
  inspector,
  onClose,
}: {
  /** `<webhook>/<delivery>`, as in the address. */
  entry: string;
  inspector: Inspector;
  onClose: () => void;
}): JSX.Element {
  const { client, deliveries } = inspector;
  const [hook_id = "", delivery_id = ""] = entry.split("/");
  const listed = deliveries.entries.value.find(({ id }) => id === entry);
  // Reads again when the list shows another attempt.
  const version = listed ? `${listed.item.attempt} ${listed.item.status}` : "";
  const read = (signal: AbortSignal) =>
    client.call("deliveries.get", { params: { hook_id: Number(hook_id), delivery_id }, signal });
  const { value, why } = useLoaded(inspector, read, version);
  const title = value ? `${value.event} ${value.record_id} ${toVisible(value.action)}` : "Delivery";
  return (
    <Detail title={`${title} to webhook ${toVisible(hook_id)}`} onClose={onClose}>
      <p role="alert">{why}</p>
      {value && <Shown delivery={value} inspector={inspector} />}
    </Detail>
  );
}

function Shown({ delivery, inspector }: { delivery: Delivery; inspector: Inspector }): JSX.Element {
  const {
    action,
    attempt,
    attempts,
    delivery_id,
    event,
    event_id,
    hook_id,
    next_attempt_on,
    record_id,
    status,
  } = delivery;
  const last = attempts?.findLast(({ request }) => request !== null);
  return (
    <>
      <Facts
        facts={{
          Status: <span class={lookOfOutcome(status, delivery.http_status)}>{status}</span>,
          Attempts: attempt,
          "Next attempt": next_attempt_on && toLocalTime(next_attempt_on),
          Created: toLocalTime(delivery.created_on),
          Replay: delivery.is_replay ? "yes" : null,
          Event: (
            <PlaceLink places={inspector} to={{ ...emptyPlace, view: "events", entry: event_id }}>
              {event_id}
            </PlaceLink>
          ),
          "Delivery id": delivery_id,
        }}
      />
      <Replay delivery={delivery} inspector={inspector} />
      <TriggerForm
        inspector={inspector}
        hookId={hook_id}
        record={toTriggered({ action, record_id, type: event, data: dataOf(last?.request?.body) })}
      />
      {last?.request && <VerifyForm request={last.request} sentOn={last.started_on} />}
      {attempts?.toReversed().map((one) => (
        <Attempt key={one.attempt} attempt={one} />
      ))}
    </>
  );
}

function Replay({ delivery, inspector }: { delivery: Delivery; inspector: Inspector }): JSX.Element {
  const { client, session } = inspector;
  const { isBusy, outcome, run } = useAction(inspector);
  const isPending = delivery.status === "pending";
  const body = { delivery_id: delivery.delivery_id };
  const replay = () =>
    client
      .call("deliveries.replay", { params: { hook_id: delivery.hook_id }, body })
      .then(() => (isPending ? "The next attempt starts now." : "Replay queued."));
  const { request } = delivery;
  const call = {
    operation: "deliveries.replay",
    method: "POST",
    path: `/hooks/${delivery.hook_id}/deliveries/replay`,
    query: "",
    body: JSON.stringify(body),
    version: newestVersion,
    tenantId: session.tenant.id,
    isDryRun: false,
    ifMatch: null,
  };
  return (
    <div class="actions">
      {session.mayCall("deliveries.replay") && (
        <button type="button" disabled={isBusy} onClick={() => void run(replay)}>
          {isPending ? "Retry now" : "Replay"}
        </button>
      )}
      <CallCopies call={call} {...(request && { curl: () => toDeliveryCurl(request) })} />
      <output>{outcome}</output>
    </div>
  );
}

const Attempt = ({ attempt }: { attempt: NonNullable<Delivery["attempts"]>[number] }) => {
  const { duration_ms, message, request, response, started_on } = attempt;
  const time = duration_ms === null ? "" : `, ${Math.round(duration_ms)} ms`;
  return (
    <section aria-label={`Attempt ${attempt.attempt}`}>
      <h3>
        {`Attempt ${attempt.attempt}`} <span class="quiet">{`${toLocalTime(started_on)}${time}`}</span>
      </h3>
      {message && <p>{toVisible(message)}</p>}
      <h4>{response ? `Response ${response.status}` : "No response"}</h4>
      {response && (
        <>
          <Headers headers={response.headers} />
          <Body label={`Response to attempt ${attempt.attempt}`} text={response.body} why="No body." />
        </>
      )}
      {request && (
        <>
          <h4>Sent to {toVisible(request.url)}</h4>
          <Headers headers={request.headers} />
          <Body
            label={`Body of attempt ${attempt.attempt}`}
            text={request.body}
            why="The log does not keep this body."
          />
        </>
      )}
    </section>
  );
};

/** null if the log truncated the body. */
function dataOf(body: string | null | undefined): unknown {
  try {
    return JSON.parse(body ?? "").data;
  } catch {
    return null;
  }
}
