import type { Caller } from "../../core/caller.ts";
import { walkRecords } from "../../core/lists/walk-records.ts";
import { newestVersion } from "../../models/api-versions.ts";
import type { JsonObject } from "../../versions/change.ts";
import type { Pace } from "../pace.ts";
import type { Importable } from "./row-kind.ts";
import { toParams } from "./row-plan.ts";

/** Which records are looked for, and how much of each is kept. */
export interface Wanted {
  key: string;
  /** Values of the key, as `toKeyText` writes them. */
  keys: ReadonlySet<string>;
  ids: ReadonlySet<number>;
  /** The fields that rows speak of. */
  fields: ReadonlySet<string>;
  locationId: number;
  pace: Pace;
}

/** The records that rows may be about. */
export interface Existing {
  byKey(key: string): readonly JsonObject[];
  byId(id: number): JsonObject | null;
}

/** A key's value as text that no other value has. */
export const toKeyText = (value: unknown) => JSON.stringify(value);

/** Finds the records that rows name by key or id, in one walk through the records of the location. */
export async function findExisting(
  caller: Caller,
  importable: Importable,
  { key, keys, ids, fields, locationId, pace }: Wanted,
): Promise<Existing> {
  const keysToIds = new Map<string, number[]>();
  // As text a record takes a fraction of the memory.
  const texts = new Map<number, string>();
  if (keys.size === 0 && ids.size === 0) return toExisting(keysToIds, texts);
  const request = {
    params: toParams({ location_id: locationId }),
    query: { page_limit: "1000" },
    version: newestVersion,
    order: "id",
  } as const;
  let count = 0;
  for await (const { record } of walkRecords(caller, importable.list, request)) {
    count++;
    await pace.step(() => `looked at ${count} ${importable.noun}`);
    const id = Number(record.id);
    const keyText = toKeyText(record[key] ?? null);
    const isNamed = keys.has(keyText);
    if (!isNamed && !ids.has(id)) continue;
    if (isNamed) keysToIds.set(keyText, [...(keysToIds.get(keyText) ?? []), id]);
    texts.set(id, toText(await complete(caller, importable, record, fields, locationId), fields));
  }
  return toExisting(keysToIds, texts);
}

function toExisting(keysToIds: ReadonlyMap<string, number[]>, texts: ReadonlyMap<number, string>): Existing {
  const byId = (id: number) => {
    const text = texts.get(id);
    return text === undefined ? null : (JSON.parse(text) as JsonObject);
  };
  return {
    byId,
    byKey: (key) => (keysToIds.get(key) ?? []).map(byId).filter((record) => record !== null),
  };
}

/** What no list shows is asked for when rows speak of it. */
async function complete(
  caller: Caller,
  { hidden, noun }: Importable,
  record: JsonObject,
  fields: ReadonlySet<string>,
  locationId: number,
): Promise<JsonObject> {
  if (!hidden?.fields.some((name) => fields.has(name))) return record;
  const answer = await caller.call(hidden.get, {
    params: toParams({ location_id: locationId, [`${noun.slice(0, -1)}_id`]: Number(record.id) }),
    query: {},
    body: undefined,
    version: newestVersion,
    dryRun: false,
  });
  return answer.kind === "json" ? (JSON.parse(answer.text) as JsonObject) : record;
}

function toText(record: JsonObject, fields: ReadonlySet<string>): string {
  const kept = Object.entries(record).filter(
    ([name, value]) => value !== null && (name === "id" || fields.has(name)),
  );
  return JSON.stringify(Object.fromEntries(kept));
}
