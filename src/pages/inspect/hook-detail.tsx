import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { hookEvents } from "../../models/event-kinds.ts";
import type { Hook, Inspector } from "./inspector.ts";
import { Detail, Facts, PlaceLink, useAction } from "./panes.tsx";
import { emptyPlace } from "./place.ts";
import { toResult } from "./trigger-form.tsx";
import { toLocalTime, toVisible } from "./wire-text.tsx";

/** Undefined until the page has counted them. */
export type CountedHook = Hook & { pending: number | undefined };

export function HookDetail({
  hook,
  inspector,
  onClose,
}: {
  hook: CountedHook;
  inspector: Inspector;
  onClose: () => void;
}): JSX.Element {
  const moment = (at: string | null) => at && toLocalTime(at);
  return (
    <Detail title={`Webhook ${hook.id}`} onClose={onClose}>
      <Facts
        facts={{
          URL: toVisible(hook.url),
          Description: hook.description && toVisible(hook.description),
          Health: toHealth(hook),
          Stopped: moment(hook.deleted_at),
          Why: hook.deleted_reason,
          Pending: (
            <PlaceLink
              places={inspector}
              to={{ ...emptyPlace, view: "deliveries", hook: String(hook.id), status: "pending" }}
            >
              {`${hook.pending ?? "…"} deliveries`}
            </PlaceLink>
          ),
          "Last success": moment(hook.last_http_success),
          "Last failure": moment(hook.last_http_fail),
          Events: hook.subscriptions.join(", "),
          "Version of bodies": hook.api_version,
          "Attempts per second": hook.rate_limit,
          "Old secret until": moment(hook.old_secret_until),
        }}
      />
      <Actions hook={hook} inspector={inspector} />
    </Detail>
  );
}

export const healthLooks = {
  healthy: "good",
  failing: "alarm",
  stopped: "alarm",
  paused: "quiet",
  unused: "quiet",
};

/** The service stops a webhook that fails for days. */
export function toHealth(hook: Hook): keyof typeof healthLooks {
  const { deleted_at, deleted_reason, last_http_fail: failed, last_http_success: succeeded } = hook;
  if (deleted_at !== null) return deleted_reason === null ? "paused" : "stopped";
  if (failed === null) return succeeded === null ? "unused" : "healthy";
  return succeeded !== null && succeeded > failed ? "healthy" : "failing";
}

function Actions({ hook, inspector }: { hook: Hook; inspector: Inspector }): JSX.Element {
  const { client, session } = inspector;
  const { isBusy, outcome, run } = useAction(inspector);
  const params = { hook_id: hook.id };
  const isActive = hook.deleted_at === null;
  const actions: Readonly<Record<string, Action>> = {
    Test: {
      operation: "hooks.ping",
      isOffered: isActive,
      act: () => client.call("hooks.ping", { params }).then((ping) => `${ping.http_status}. ${ping.message}`),
    },
    "Send a sample job": {
      operation: "hooks.trigger",
      isOffered: isActive,
      act: () => client.call("hooks.trigger", { params, body: { type: "Job", sample: true } }).then(toResult),
    },
    "Pause deliveries": {
      operation: "hooks.delete",
      isOffered: isActive,
      act: () =>
        client.call("hooks.delete", { params }).then(() => "Paused: it gets no events until you resume it."),
    },
    "Resume with pending deliveries": {
      operation: "hooks.enable",
      isOffered: !isActive,
      act: () => client.call("hooks.enable", { params, body: { backlog: "send" } }).then(() => "Active."),
    },
    "Resume without them": {
      operation: "hooks.enable",
      isOffered: !isActive,
      act: () => client.call("hooks.enable", { params, body: { backlog: "skip" } }).then(() => "Active."),
    },
    "Rotate the secret": {
      operation: "hooks.rotate-secret",
      isOffered: isActive,
      act: () =>
        client
          .call("hooks.rotate-secret", { params, body: {} })
          .then((rotated) => `${toSecretText(rotated)} Both secrets sign for 24 hours.`),
    },
  };
  return (
    <div class="actions">
      {Object.entries(actions)
        .filter(([, { isOffered, operation }]) => isOffered && session.mayCall(operation))
        .map(([name, { act }]) => (
          <button key={name} type="button" disabled={isBusy} onClick={() => void run(act)}>
            {name}
          </button>
        ))}
      <output>{outcome}</output>
    </div>
  );
}

interface Action {
  operation: Parameters<Inspector["session"]["mayCall"]>[0];
  isOffered: boolean;
  act(): Promise<string>;
}

const toSecretText = ({ secret, standard_secret }: Hook) =>
  `Secret: ${secret}, for libraries of Standard Webhooks ${standard_secret}.`;

export function NewHook({ inspector, onClose }: { inspector: Inspector; onClose: () => void }): JSX.Element {
  const { client } = inspector;
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, outcome, run } = useAction(inspector);
  const create = async () => {
    const values = new FormData(form.current ?? undefined);
    const description = String(values.get("description"));
    const body = {
      url: String(values.get("url")),
      events: hookEvents.filter((kind) => values.getAll("events").includes(kind)),
      ...(description !== "" && { description }),
    };
    const hook = await client.call("hooks.create", { body });
    form.current?.reset();
    return `Created webhook ${hook.id}. ${toSecretText(hook)} Only Admins see it later.`;
  };
  return (
    <Detail title="New webhook" onClose={onClose}>
      <form
        class="new-hook"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void run(create);
        }}
      >
        <label>
          URL
          <input name="url" type="url" required placeholder="https://example.com/hook" />
        </label>
        <label>
          Description
          <input name="description" maxLength={256} />
        </label>
        <fieldset>
          <legend>Events</legend>
          {hookEvents.map((kind) => (
            <label key={kind}>
              <input type="checkbox" name="events" value={kind} defaultChecked={kind === "Job"} />
              {kind}
            </label>
          ))}
        </fieldset>
        <button type="submit" disabled={isBusy}>
          Create
        </button>
        <output>{outcome}</output>
      </form>
    </Detail>
  );
}
