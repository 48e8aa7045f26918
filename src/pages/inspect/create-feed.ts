import { type ReadonlySignal, signal } from "@preact/signals";

/** Something that happened, in a list of such. */
export interface Entry<T> {
  id: string;
  item: T;
  /** When, as the service writes it. */
  at: string;
  /** Its number in the order in which the page heard of it; what is only told anew keeps it. */
  arrival: number;
  /** What a search looks at, in lower case. */
  text: string;
}

/** What happened lately, newest first. */
export interface Feed<T> {
  entries: ReadonlySignal<readonly Entry<T>[]>;
  /** The number of the last that arrived. */
  lastArrival(): number;
  /** Takes what is new, and what has changed since it was told last. */
  add(items: readonly T[]): void;
}

/** What a feed knows of its items. */
interface FeedOf<T> {
  idOf(item: T): string;
  atOf(item: T): string;
  textOf(item: T): string;
  /** Differs when the item has changed; of what never changes it is left out. */
  stateOf?(item: T): string;
}

/** Older ones are let go. */
const entriesMax = 1000;

/** A feed that has nothing yet. */
export function createFeed<T>({ atOf, idOf, stateOf = () => "", textOf }: FeedOf<T>): Feed<T> {
  const entries = signal<readonly Entry<T>[]>([]);
  let arrivals = 0;
  const toEntry = (item: T, known: Entry<T> | undefined): Entry<T> => ({
    id: idOf(item),
    item,
    at: atOf(item),
    arrival: known?.arrival ?? ++arrivals,
    text: textOf(item).toLowerCase(),
  });
  return {
    entries,
    lastArrival: () => arrivals,
    add(items) {
      const byId = new Map(entries.value.map((entry) => [entry.id, entry]));
      let isChanged = false;
      for (const item of items) {
        const known = byId.get(idOf(item));
        if (known && stateOf(known.item) === stateOf(item)) continue;
        byId.set(idOf(item), toEntry(item, known));
        isChanged = true;
      }
      if (isChanged) entries.value = [...byId.values()].toSorted(byNewest).slice(0, entriesMax);
    },
  };
}

const byNewest = (a: Entry<unknown>, b: Entry<unknown>) =>
  a.at < b.at ? 1 : a.at > b.at ? -1 : b.arrival - a.arrival;
