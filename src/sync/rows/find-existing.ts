import { untyped } from "../../client/client.ts";
import { toEntityTag } from "../../core/precondition.ts";
import type { JsonObject } from "../../models/json.ts";
import { listsWholeRecords } from "../load-kinds.ts";
import type { ActualRecord } from "../planner.ts";
import type { SnapshotRecord } from "../snapshot-record.ts";
import type { Pace, SyncTarget } from "../target.ts";
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
  byKey: ReadonlyMap<string, readonly ActualRecord[]>;
  byId: ReadonlyMap<number, ActualRecord>;
}

export const toKeyText = (value: unknown) => JSON.stringify(value);

/** Reads all records of the location once and keeps those that rows name. */
export async function findExisting(
  target: SyncTarget,
  rowKind: RowKind,
  { key, keys, ids, fields, locationId, pace }: Sought,
): Promise<Existing> {
  const byKey = new Map<string, ActualRecord[]>();
  const byId = new Map<number, ActualRecord>();
  if (keys.size === 0 && ids.size === 0) return { byId, byKey };
  const kept = new Set(["id", ...fields, ...ownFieldsOf(rowKind)]);
  const request = { params: { location_id: locationId }, query: { page_limit: 1000 } };
  const { def, get } = rowKind.kind;
  const isCompleted = get !== null && def.hidden?.fields.some((name) => fields.has(name)) === true;
  const isListed = listsWholeRecords({ def, list: rowKind.list, update: rowKind.update });
  let count = 0;
  for await (const record of untyped(target.client).pages(rowKind.list.name, request)) {
    count++;
    await pace.step(() => `looked at ${count} ${rowKind.noun}`);
    const id = Number(record.id);
    const keyText = toKeyText(record[key] ?? null);
    const isNamed = keys.has(keyText);
    if (!isNamed && !ids.has(id)) continue;
    const own = {
      location_id: String(locationId),
      ...(def.idParam !== undefined && { [def.idParam]: String(id) }),
    };
    const whole = isCompleted ? await readWhole(target, get, own) : { answer: record, etag: null };
    const found: ActualRecord = {
      record: pickKept(whole.answer, kept),
      etag: isListed ? toEntityTag(JSON.stringify(record)) : whole.etag,
      unread: def.hidden?.fields ?? [],
    };
    byId.set(id, found);
    if (isNamed) byKey.set(keyText, [...(byKey.get(keyText) ?? []), found]);
  }
  return { byId, byKey };
}

/** The fields that show whether a record has changed. */
function ownFieldsOf({ kind, parts }: RowKind): string[] {
  return [...kind.fields, ...(parts?.location.fields ?? [])];
}

/** Records of lists are JSON, and have an id. */
function pickKept(record: JsonObject, kept: ReadonlySet<string>): SnapshotRecord {
  const fields = Object.entries(record).filter(([name, value]) => value !== null && kept.has(name));
  return Object.fromEntries(fields) as SnapshotRecord;
}
