import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { newestVersion } from "../../models/api-versions.ts";
import { CallCopies } from "./call-copies.tsx";
import { readHooks } from "./follow-deliveries.ts";
import type { Hook, Inspector } from "./inspector.ts";
import { useAction } from "./panes.tsx";

interface Triggered {
  type: "Customer" | "CustomerLocation" | "Job" | "Truck";
  action: string;
  record_id: number;
  location_id?: number;
}

/** null for a ping, which has no record. */
export function toTriggered({
  action,
  data,
  record_id,
  type,
}: {
  action: string;
  data: unknown;
  record_id: number;
  type: Triggered["type"] | "Ping";
}): Triggered | null {
  if (type === "Ping") return null;
  const { location_id }: { location_id?: unknown } = { ...Object(data) };
  const isOfLocation = type === "CustomerLocation" && typeof location_id === "number";
  return { type, action, record_id, ...(isOfLocation && { location_id }) };
}

/** Sends an event with the current record. The service stores nothing, so no list shows the delivery. */
export function TriggerForm({
  hookId,
  inspector,
  record,
}: {
  /** The webhook that is selected first; null adds the copy buttons. */
  hookId: number | null;
  inspector: Inspector;
  record: Triggered | null;
}): JSX.Element | null {
  const { client, hooks, session } = inspector;
  const chosen = useSignal(hookId);
  const { isBusy, outcome, run } = useAction(inspector);
  useEffect(() => {
    const end = new AbortController();
    readHooks(inspector, end.signal).catch((error: unknown) => inspector.noteFailure(error));
    return () => end.abort();
  }, []);
  const active = hooks.value.filter(({ deleted_at }) => deleted_at === null);
  const hook = active.find(({ id }) => id === chosen.value) ?? active[0];
  if (!record || !session.mayCall("hooks.trigger")) return null;
  if (!hook) return <p class="quiet">No active webhooks.</p>;
  const trigger = () =>
    client.call("hooks.trigger", { params: { hook_id: hook.id }, body: record }).then(toResult);
  return (
    <div class="actions">
      <select
        aria-label="Webhook to trigger"
        value={hook.id}
        onChange={({ currentTarget }) => {
          chosen.value = Number(currentTarget.value);
        }}
      >
        {active.map(toOption)}
      </select>
      <button type="button" disabled={isBusy} onClick={() => void run(trigger)}>
        Trigger from this record
      </button>
      {hookId === null && <CallCopies call={toCall(hook, record, session.tenant.id)} />}
      <output>{outcome}</output>
    </div>
  );
}

export const toResult = ({
  duration_ms,
  http_status,
  message,
}: {
  duration_ms: number;
  http_status: number;
  message: string;
}): string => `${http_status} in ${Math.round(duration_ms)} ms. ${message}`;

const toOption = ({ id, url }: Hook) => (
  <option key={id} value={id}>
    {`${id} ${url.slice(0, 80)}`}
  </option>
);

const toCall = ({ id }: Hook, record: Triggered, tenantId: number) => ({
  operation: "hooks.trigger",
  method: "POST",
  path: `/hooks/${id}/trigger`,
  query: "",
  body: JSON.stringify(record),
  version: newestVersion,
  tenantId,
  isDryRun: false,
  ifMatch: null,
});
