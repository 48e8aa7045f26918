import { untyped } from "../../client/client.ts";
import { toEntityTag } from "../../core/entity-tag.ts";
import type { JsonObject } from "../../models/json.ts";
import { listsWholeRecords } from "../expected-state.ts";
import type { Pace } from "../pace.ts";
import type { SyncTarget } from "../target.ts";
import { readWhole } from "../walk-list.ts";
import type { RowKind } from "./row-kind.ts";

export interface Sought {
  key: string;
  /** From `toKeyText`. */
  keys: ReadonlySet<string>;
  ids: ReadonlySet<number>;
  fields: ReadonlySet<string>;
  locationId: number;
  pace: Pace;
}

export interface Existing {
  byKey(key: string): readonly JsonObject[];
  byId(id: number): JsonObject | null;
  /** null if the list returns no entity tag. */
  etagOf(id: number): string | null;
}

export const toKeyText = (value: unknown) => JSON.stringify(value);

/** Reads all records of the location once and keeps those that rows name. */
export async function findExisting(
  target: SyncTarget,
  rowKind: RowKind,
  { key, keys, ids, fields, locationId, pace }: Sought,
): Promise<Existing> {
  const keysToIds = new Map<string, number[]>();
  // As text, a record takes a fraction of the memory.
  const texts = new Map<number, string>();
  const etags = new Map<number, string>();
  const existing = toExisting(keysToIds, texts, etags);
  if (keys.size === 0 && ids.size === 0) return existing;
  const kept = new Set([...fields, ...ownFieldsOf(rowKind)]);
  const request = { params: { location_id: locationId }, query: { page_limit: 1000 } };
  const isCompleted = namesHidden(rowKind, fields);
  const isListed = listsWholeRecords({ def: rowKind.kind.def, list: rowKind.list, update: rowKind.update });
  let count = 0;
  for await (const record of untyped(target.client).pages(rowKind.list.name, request)) {
    count++;
    await pace.step(() => `looked at ${count} ${rowKind.noun}`);
    const id = Number(record.id);
    const keyText = toKeyText(record[key] ?? null);
    const isNamed = keys.has(keyText);
    if (!isNamed && !ids.has(id)) continue;
    if (isNamed) keysToIds.set(keyText, [...(keysToIds.get(keyText) ?? []), id]);
    const whole = isCompleted
      ? await complete(target, rowKind, id, locationId)
      : { answer: record, etag: null };
    const etag = isListed ? toEntityTag(JSON.stringify(record)) : whole.etag;
    if (etag !== null) etags.set(id, etag);
    texts.set(id, toText(whole.answer, kept));
  }
  return existing;
}

/** The fields that show whether a record has changed. */
function ownFieldsOf({ kind, parts }: RowKind): string[] {
  return [...kind.fields, ...(parts?.location.fields ?? [])];
}

function toExisting(
  keysToIds: ReadonlyMap<string, number[]>,
  texts: ReadonlyMap<number, string>,
  etags: ReadonlyMap<number, string>,
): Existing {
  const byId = (id: number) => {
    const text = texts.get(id);
    return text === undefined ? null : (JSON.parse(text) as JsonObject);
  };
  return {
    byId,
    etagOf: (id) => etags.get(id) ?? null,
    byKey: (key) => (keysToIds.get(key) ?? []).map(byId).filter((record) => record !== null),
  };
}

/** Whether rows have a field that no list shows. */
function namesHidden({ kind: { def, get } }: RowKind, fields: ReadonlySet<string>): boolean {
  return get !== null && def.hidden?.fields.some((name) => fields.has(name)) === true;
}

function complete(
  target: SyncTarget,
  { kind: { def, get } }: RowKind,
  id: number,
  locationId: number,
): Promise<{ answer: JsonObject; etag: string | null }> {
  if (get === null || def.idParam === null) throw new Error(`No operation shows one of the ${def.noun}.`);
  return readWhole(target, get, { location_id: String(locationId), [def.idParam]: String(id) });
}

function toText(record: JsonObject, fields: ReadonlySet<string>): string {
  const kept = Object.entries(record).filter(
    ([name, value]) => value !== null && (name === "id" || fields.has(name)),
  );
  return JSON.stringify(Object.fromEntries(kept));
}
