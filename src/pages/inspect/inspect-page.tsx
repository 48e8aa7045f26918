import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Session } from "../session/session.ts";
import { TopBar } from "../session/top-bar.tsx";
import { DeliveriesView } from "./deliveries-view.tsx";
import { EventsView } from "./events-view.tsx";
import { hearEvents } from "./follow-events.ts";
import { HooksView } from "./hooks-view.tsx";
import { createInspector, type Inspector } from "./inspector.ts";
import { PlaceLink } from "./panes.tsx";
import { emptyPlace, type View } from "./place.ts";
import { RequestsView } from "./requests-view.tsx";

export function InspectPage({ session }: { session: Session }): JSX.Element {
  const end = useMemo(() => new AbortController(), []);
  const inspector = useMemo(() => createInspector(session, end.signal), []);
  const views = viewsOf(session);
  useEffect(() => {
    if (views.length > 0) void hearEvents(inspector, end.signal);
  }, [views.length > 0]);
  useEffect(() => () => end.abort(), []);
  const view = views.find(({ name }) => name === inspector.place.value.view) ?? views[0];
  return (
    <div class="inspect">
      <TopBar session={session} title="Inspector">
        <Tabs inspector={inspector} views={views} chosen={view?.name} />
        <Connection inspector={inspector} />
      </TopBar>
      {view ? (
        <main>
          <p role="alert">{inspector.refusal.value}</p>
          <view.show key={view.name} inspector={inspector} />
        </main>
      ) : (
        <p class="nothing">
          {`The inspector shows requests to Admins, and events and deliveries to Admins and Dispatchers. Your roles (${session.roles.join(", ")}) see nothing here.`}
        </p>
      )}
    </div>
  );
}

interface ShownView {
  name: View;
  title: string;
  show: (props: { inspector: Inspector }) => JSX.Element;
}

function viewsOf({ mayCall }: Session): ShownView[] {
  return [
    ...(mayCall("requests.tail")
      ? [{ name: "requests" as const, title: "Requests", show: RequestsView }]
      : []),
    ...(mayCall("events.list") ? [{ name: "events" as const, title: "Events", show: EventsView }] : []),
    ...(mayCall("deliveries.list")
      ? [{ name: "deliveries" as const, title: "Deliveries", show: DeliveriesView }]
      : []),
    ...(mayCall("hooks.list") ? [{ name: "webhooks" as const, title: "Webhooks", show: HooksView }] : []),
  ];
}

function Tabs({
  chosen,
  inspector,
  views,
}: {
  chosen: View | undefined;
  inspector: Inspector;
  views: readonly ShownView[];
}): JSX.Element {
  return (
    <nav class="tabs" aria-label="Views">
      {views.map(({ name, title }) => (
        <PlaceLink
          key={name}
          places={inspector}
          to={{ ...emptyPlace, view: name }}
          current={name === chosen}
          onGo={() => {
            inspector.refusal.value = "";
          }}
        >
          {title}
        </PlaceLink>
      ))}
    </nav>
  );
}

function Connection({ inspector: { isConnected, isPaused } }: { inspector: Inspector }): JSX.Element {
  const state = isConnected.value;
  const text =
    state === false
      ? "Connection lost. Retrying …"
      : isPaused.value
        ? "Paused"
        : state
          ? "Live"
          : "Connecting …";
  return (
    <span class={`connection ${state === false ? "lost" : ""}`} role="status">
      {text}
    </span>
  );
}
