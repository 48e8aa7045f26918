import { type ReadonlySignal, signal } from "@preact/signals";

export interface Entry<T> {
  id: string;
  item: T;
  at: string;
  /** The order of arrival. An update keeps it. */
  arrival: number;
  /** For the search, in lower case. */
  text: string;
}

export interface Feed<T> {
  entries: ReadonlySignal<readonly Entry<T>[]>;
  lastArrival(): number;
  add(items: readonly T[]): void;
}

interface FeedOf<T> {
  idOf(item: T): string;
  atOf(item: T): string;
  textOf(item: T): string;
  /** Differs after a change; absent for items that never change. */
  stateOf?(item: T): string;
}

const entriesMax = 1000;

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
