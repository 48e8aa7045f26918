import { isSame, type JsonObject } from "../../models/json.ts";

/** An entry that a row says, and the record's entry that it means; null for a new one. */
export interface EntryPair {
  said: JsonObject;
  entry: JsonObject | null;
}

/**
 * Pairs the row's entries with the record's: first equal ones, then ones with the same id, then ones that agree in
 * the fields of `identity`, and at last a single remaining pair.
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
