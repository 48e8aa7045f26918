import { type ReadonlySignal, signal } from "@preact/signals";
import { goBackTo, goTo } from "../page-history.ts";

/** What the page has tabs for. */
export type View = (typeof views)[number];

const views = ["requests", "events", "deliveries"] as const;

/** Where somebody is on the page: all of it stands in the address. Empty texts stand for nothing chosen. */
export interface Place extends Record<Choice, string> {
  view: View | "";
}

type Choice = (typeof choices)[number];

const choices = [
  // The entry that is open: a request's id, an event's, or a webhook's and a delivery's with a slash between.
  "entry",
  "text",
  "method",
  "status",
  "token",
  "kind",
  "hook",
  // "shown": requests of inspectors are in the list, too.
  "own",
] as const;

/** Where somebody is, and the way to elsewhere. */
export interface Places {
  place: ReadonlySignal<Place>;
  /** Goes to a place: another view or entry is a step of the browser's history, a filter is none. */
  go(changes: Partial<Place>): void;
  addressOf(place: Partial<Place>): string;
}

/** The places of this page; they follow the browser's history until the signal ends it. */
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

/** How many entries were opened one after the other since the list stood alone: closing goes back by so many. */
function readOpened(): number {
  const { opened }: { opened?: unknown } = { ...Object(history.state) };
  return typeof opened === "number" ? opened : 0;
}

/** A view without an entry or filters, to begin with. */
export const emptyPlace: Place = {
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

function readPlace(): Place {
  const query = new URLSearchParams(location.search);
  const view = views.find((name) => name === query.get("view")) ?? "";
  const chosen = choices.map((name) => [name, query.get(name) ?? ""]);
  return { ...emptyPlace, ...Object.fromEntries(chosen), view };
}

function addressOf(place: Partial<Place>): string {
  const named = Object.entries(place).filter(([, value]) => value !== "");
  return `${location.pathname}?${new URLSearchParams(named)}`;
}
