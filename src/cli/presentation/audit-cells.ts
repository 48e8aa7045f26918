import { isObject, type JsonObject } from "../../models/json.ts";
import { kindOfField } from "../../records/find-kind.ts";
import { recordKinds } from "../../records/record-kinds.ts";
import { besides, capitalize, describeChanges, tellValue } from "./change.ts";
import type { Cells, Learned } from "./presentation.ts";
import { labelled, type View } from "./view.ts";

export const auditCells: Cells = {
  changes: ({ after, before }, view) => {
    const now = isObject(after) ? after : {};
    return isObject(before) ? describeChanges(before, now, view) : describeNew(now, view);
  },
  record: ({ record_id, record_type }) => toRecordName(record_type, record_id),
};

export function toRecordName(type: unknown, id: unknown): string {
  const label = recordKinds.find((kind) => kind.type === type)?.label ?? String(type);
  return `${capitalize(label)} ${id}`;
}

export function auditLearns(entries: readonly JsonObject[]): Learned {
  const records = entries.flatMap(({ after, before }) => [after, before]).filter(isObject);
  const fields = new Set(records.flatMap(Object.keys).filter((field) => kindOfField(field) !== null));
  return { fields: [...fields], records };
}

function describeNew(record: JsonObject, view: View): string {
  return Object.keys(record)
    .filter((name) => !besides.has(name) && record[name] !== false && record[name] !== null)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((name) => labelled(name, tellValue(name, record, view)))
    .join(", ");
}

const rankOf = (name: string) => (name === "name" || name === "username" || name === "type" ? 0 : 1);
