import { type ReadonlySignal, signal } from "@preact/signals";
import { goBackTo, goTo } from "../page-history.ts";

export type View = (typeof views)[number];

const views = ["requests", "events", "deliveries", "webhooks"] as const;

/** The state in the address. An empty text means no choice. */
export interface InspectorPlace extends Record<Choice, string> {
  view: View | "";
}

type Choice = (typeof choices)[number];

const choices = [
  // The id of a request, event, or webhook, `<webhook>/<delivery>`, or `new`.
  "entry",
  "text",
  "method",
  "status",
  "token",
  "kind",
  "hook",
  // "shown": the list includes reads by pages.
  "own",
] as const;

export interface Places {
  place: ReadonlySignal<InspectorPlace>;
  /** Another view or entry adds a history entry, a filter does not. */
  go(changes: Partial<InspectorPlace>): void;
  addressOf(place: Partial<InspectorPlace>): string;
}

export function createPlaces(signalOfEnd: AbortSignal): Places {
  const place = signal(readPlace());
  const follow = () => {
    place.value = readPlace();
  };
  addEventListener("popstate", follow, { signal: signalOfEnd });
  return {
    place,
    addressOf,
    go(changes) {
      const before = place.value;
      const next = { ...before, ...changes };
      place.value = next;
      const isOtherView = next.view !== before.view;
      const opened = before.entry === "" || isOtherView ? 0 : readOpened();
      if (next.entry === "" && opened > 0 && !isOtherView) return goBackTo(opened, addressOf(next));
      const isStep = isOtherView || next.entry !== before.entry;
      const isCounted = isStep && next.entry !== "" && !isOtherView && (before.entry === "" || opened > 0);
      const state = { opened: isCounted ? opened + 1 : isStep ? 0 : opened };
      goTo(addressOf(next), { isStep, state });
    },
  };
}

/** The number of steps back when the user closes the entry. */
function readOpened(): number {
  const { opened }: { opened?: unknown } = { ...Object(history.state) };
  return typeof opened === "number" ? opened : 0;
}

export const emptyPlace: InspectorPlace = {
  view: "",
  entry: "",
  text: "",
  method: "",
  status: "",
  token: "",
  kind: "",
  hook: "",
  own: "",
};

function readPlace(): InspectorPlace {
  const query = new URLSearchParams(location.search);
  const view = views.find((name) => name === query.get("view")) ?? "";
  const chosen = choices.map((name) => [name, query.get(name) ?? ""]);
  return { ...emptyPlace, ...Object.fromEntries(chosen), view };
}

function addressOf(place: Partial<InspectorPlace>): string {
  const named = Object.entries(place).filter(([, value]) => value !== "");
  return `${location.pathname}?${new URLSearchParams(named)}`;
}
