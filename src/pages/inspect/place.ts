import { type ReadonlySignal, signal } from "@preact/signals";

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
      const next = { ...place.value, ...changes };
      const isStep = next.view !== place.value.view || next.entry !== place.value.entry;
      if (isStep) history.pushState(null, "", addressOf(next));
      else history.replaceState(null, "", addressOf(next));
      place.value = next;
    },
  };
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
