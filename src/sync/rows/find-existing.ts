import { walkRecords } from "../../core/lists/walk-records.ts";
import { newestVersion } from "../../models/api-versions.ts";
import type { JsonObject } from "../../models/json.ts";
import type { Pace } from "../pace.ts";
import type { SyncTarget } from "../target.ts";
import type { RowKind } from "./row-kind.ts";

/** Which records are looked for, and how much of each is kept. */
export interface Sought {
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
  target: SyncTarget,
  rowKind: RowKind,
  { key, keys, ids, fields, locationId, pace }: Sought,
): Promise<Existing> {
  const keysToIds = new Map<string, number[]>();
  // As text a record takes a fraction of the memory.
  const texts = new Map<number, string>();
  if (keys.size === 0 && ids.size === 0) return toExisting(keysToIds, texts);
  const request = {
    params: { location_id: String(locationId) },
    query: { page_limit: "1000" },
    version: newestVersion,
    order: "id",
  } as const;
  let count = 0;
  for await (const { record } of walkRecords(target.caller, rowKind.list, request)) {
    count++;
    await pace.step(() => `looked at ${count} ${rowKind.noun}`);
    const id = Number(record.id);
    const keyText = toKeyText(record[key] ?? null);
    const isNamed = keys.has(keyText);
    if (!isNamed && !ids.has(id)) continue;
    if (isNamed) keysToIds.set(keyText, [...(keysToIds.get(keyText) ?? []), id]);
    texts.set(id, toText(await complete(target, rowKind, record, fields, locationId), fields));
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

/** Asks for the whole record when rows speak of a field that no list shows. */
async function complete(
  { client }: SyncTarget,
  { kind: { def, get } }: RowKind,
  record: JsonObject,
  fields: ReadonlySet<string>,
  locationId: number,
): Promise<JsonObject> {
  if (get === null || def.idParam === null || !def.hidden?.fields.some((name) => fields.has(name)))
    return record;
  return client.call(get, { params: { location_id: locationId, [def.idParam]: Number(record.id) } });
}

function toText(record: JsonObject, fields: ReadonlySet<string>): string {
  const kept = Object.entries(record).filter(
    ([name, value]) => value !== null && (name === "id" || fields.has(name)),
  );
  return JSON.stringify(Object.fromEntries(kept));
}
