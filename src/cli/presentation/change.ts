import { jobTypes } from "../../models/job-types.ts";
import { isObject, isSame, type JsonObject } from "../../models/json.ts";
import { isTimestamp } from "../../models/timestamps.ts";
import { kindOfField } from "../../records/find-kind.ts";
import { nameOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import { tellTime } from "./tell-time.ts";
import { labelled, toWords, type View } from "./view.ts";

/** What a write did to a record, as its command knows it. */
export interface Change {
  kind: RecordKind;
  /** null for a new record, and where nobody asked what was before. */
  before: JsonObject | null;
  after: JsonObject;
  effect: "made" | "changed" | "removed";
  /** What the path names: the customer of an address. */
  params: JsonObject;
}

/** The record by its kind, id and name: `Customer 11 Potomac Roofing`; `Truck 7` for one that is called so. */
export function toTitle(kind: RecordKind, record: JsonObject): string {
  const label = capitalize(kind.label);
  const name = kind.noun === "jobs" ? null : nameOf(kind, record);
  if (name?.toLowerCase().startsWith(kind.label)) return name;
  return [label, record.id, name].filter((part) => part !== null && part !== undefined).join(" ");
}

/** The fields of a change that name other records. */
export function namesIn({ after, before }: Change): string[] {
  const fields = before === null ? [] : changedFields(before, after);
  return fields.filter((field) => kindOfField(field) !== null);
}

/** What a write did, of any kind of record: `Truck 7: driver – → Pat`, `Truck 7 out of service`. */
export function tellChange(change: Change, view: View): string {
  const { after, before, effect, kind } = change;
  const title = toTitle(kind, after);
  if (effect === "made") return `${title} made`;
  if (before === null) return `${title} ${effect}`;
  const names = changedFields(before, after);
  if (names.length === 0) return `${title}: nothing changed`;
  if (names.every((name) => typeof after[name] === "boolean"))
    return `${title} ${names.map((name) => tellFlag(name, after[name])).join(", ")}`;
  return `${title}: ${describeChanges(before, after, view)}`;
}

/** `notes: old → new` for each field that differs; flags say what they are now. */
export function describeChanges(before: JsonObject, after: JsonObject, view: View): string {
  return changedFields(before, after)
    .map((name) => {
      if (typeof after[name] === "boolean") return tellFlag(name, after[name]);
      return `${labelled(name, tellValue(name, before, view))} → ${tellValue(name, after, view)}`;
    })
    .join(", ");
}

/** The fields that differ, but those that differ with every change. */
export function changedFields(before: JsonObject, after: JsonObject): string[] {
  return Object.keys(after).filter((name) => !besides.has(name) && !isSame(before[name], after[name]));
}

/** What tells who and when, not what; and what is a record of its own beside its id. */
export const besides: ReadonlySet<string> = new Set([
  "asset",
  "asset_type",
  "created_by",
  "created_on",
  "customer",
  "dump_location",
  "final_location",
  "id",
  "last_updated_on",
  "revision",
  "start_location",
  "tenant_id",
]);

/** A flag as what the record is now: "out of service", "no longer paid". */
export function tellFlag(name: string, value: unknown): string {
  const [on, off] = flagWords[name] ?? [toWords(name), `no longer ${toWords(name)}`];
  return value === true ? on : off;
}

const flagWords: Readonly<Record<string, readonly [string, string]>> = {
  is_active: ["active again", "deactivated"],
  is_deactivated: ["deactivated", "active again"],
  is_acknowledged: ["acknowledged", "no longer acknowledged"],
  is_completed: ["completed", "open again"],
  is_failed: ["failed", "to be tried again"],
  is_deleted: ["deleted", "restored"],
  deleted: ["deleted", "restored"],
  out_of_service: ["out of service", "in service again"],
  is_returned: ["returned", "out again"],
};

/** A field's value in words; a dash for none. */
export function tellValue(field: string, record: JsonObject, view: View): string {
  const value = record[field];
  if (Array.isArray(value)) return value.some(isObject) ? JSON.stringify(value) : value.join(", ") || "–";
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isObject(value)) return JSON.stringify(value);
  return tellScalar(field, value, record, view);
}

function tellScalar(field: string, value: unknown, record: JsonObject, view: View): string {
  if (field === "type" && isJobType(value)) return view.typeOf(record);
  if (kindOfField(field) !== null) return view.nameIn(record, field) ?? "–";
  const text = String(value);
  return isTimestamp(text) ? tellTime(field, record, view) : text;
}

const isJobType = (value: unknown) => jobTypes.some((type) => type === value);

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
