import { isSame } from "../../core/changes.ts";
import type { JsonObject } from "../../versions/change.ts";

/** An entry of a list that is said of a record, and the record's entry that it is about; null for one that is new. */
export interface EntryPair {
  said: JsonObject;
  entry: JsonObject | null;
}

/**
 * Finds which of a record's entries are spoken of: first those that are so already, then those of the same id, then those
 * that agree in what tells entries apart, then the only one there is by the only one that is said. Entries that nobody
 * speaks of stay.
 */
export function matchEntries(
  said: readonly JsonObject[],
  entries: readonly JsonObject[],
  identity: readonly string[],
): EntryPair[] {
  const pairs = said.map((one): EntryPair => ({ said: one, entry: null }));
  const free = new Set(entries);
  const match = (rule: (said: JsonObject, entry: JsonObject) => boolean) => {
    for (const pair of pairs) {
      if (pair.entry) continue;
      pair.entry = [...free].find((entry) => rule(pair.said, entry)) ?? null;
      if (pair.entry) free.delete(pair.entry);
    }
  };
  match((one, entry) =>
    Object.entries(one).every(([name, value]) => name === "id" || isSame(entry[name], value)),
  );
  match((one, entry) => one.id !== undefined && one.id === entry.id);
  match((one, entry) => identity.every((name) => isGiven(one[name]) && isSame(one[name], entry[name])));
  if (said.length === 1 && entries.length === 1) match(() => true);
  return pairs;
}

const isGiven = (value: unknown) => value !== undefined && value !== null;
