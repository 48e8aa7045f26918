import { jobTypes } from "../../models/job-types.ts";
import { isObject, isSame, type JsonObject } from "../../models/json.ts";
import { isTimestamp } from "../../models/timestamps.ts";
import { kindOfField, kindOfNoun } from "../../records/find-kind.ts";
import { nameOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import { tellTime } from "./tell-time.ts";
import { labelled, toWords, type View } from "./view.ts";

/** What a write did to a record, as its command knows it. */
export interface Change {
  /** null of what is about no record. */
  kind: RecordKind | null;
  /** null for a new record, and where nobody asked what was before. */
  before: JsonObject | null;
  after: JsonObject;
  /** What was done to it, in a word: made, added, changed, removed. */
  done: string;
  /** The fields that the caller gave. */
  given: readonly string[];
  /** What the path names: the customer of an address. */
  params: JsonObject;
}

/**
 * The record by its kind, id and name: `Customer 11 Potomac Roofing`; `Truck 7` for one that is called so. A name that begins
 * with a number stands apart from the id.
 */
export function toTitle(kind: RecordKind | null, record: JsonObject): string {
  if (!kind) return "It";
  // What a location keeps of a customer has the id of the customer.
  const label = capitalize(kind.noun === "customer-locations" ? "customer" : kind.label);
  const name = kind.noun === "jobs" ? null : nameOf(kind, record);
  if (name?.toLowerCase().startsWith(`${kind.label} `)) return name;
  const id = isUuid(record.id) && name !== null ? null : record.id;
  const shown = name !== null && id !== null && /^\d/.test(name) ? `(${name})` : name;
  return [label, id, shown].filter((part) => part !== null && part !== undefined).join(" ");
}

const isUuid = (id: unknown) => typeof id === "string" && id.length === 36;

/** The record that a part belongs to, as the path names it: the customer of an address; null for what is no part. */
export function ownerOf({ kind, params }: Pick<Change, "kind" | "params">): Owner | null {
  const within = kind?.within;
  const field = within === undefined || within === "locations" ? undefined : kindOfNoun(within)?.idParam;
  return field === undefined || params[field] === undefined ? null : { field, record: params };
}

/** A record, by the field that names it. */
interface Owner {
  field: string;
  record: JsonObject;
}

/** The fields of a change that name other records. */
export function namesIn(change: Change): string[] {
  return toldFields(change).filter((field) => kindOfField(field) !== null);
}

/** The fields that are told of a changed record: those that differ, else those that were given. */
function toldFields({ after, before, given }: Change): string[] {
  return before === null
    ? given.filter((field) => field in after && !besides.has(field))
    : changedFields(before, after);
}

/** What a write did, of any kind of record: `Truck 7: driver – → Pat`, `Address 3 added to Potomac Roofing`. */
export function tellChange(change: Change, view: View): string {
  const { after, done, kind } = change;
  const title = toTitle(kind, after);
  const owner = ownerOf(change);
  const whose = (word: string) => (owner ? ` ${word} ${view.nameIn(owner.record, owner.field)}` : "");
  if (done !== "changed") return `${title} ${done}${whose(ownerWords[done] ?? "of")}`;
  return tellOf(`${title}${whose("of")}`, change, view);
}

const ownerWords: Readonly<Record<string, string>> = { added: "to", removed: "from" };

/** What a change made of a record, after its name: ` out of service`, `: driver – → Pat`. */
export function tellOf(subject: string, change: Change, view: View): string {
  const { after, before } = change;
  const names = toldFields(change);
  if (names.length === 0) return `${subject}${before === null ? " changed" : ": nothing changed"}`;
  if (names.every((name) => typeof after[name] === "boolean"))
    return `${subject} ${names.map((name) => tellFlag(name, after[name])).join(", ")}`;
  return `${subject}: ${before === null ? describeGiven(names, after, view) : describeChanges(before, after, view)}`;
}

/** `notes: old → new` for each field that differs; flags say what they are now. */
export function describeChanges(before: JsonObject, after: JsonObject, view: View): string {
  return changedFields(before, after)
    .map((name) => {
      if (typeof after[name] === "boolean") return tellFlag(name, after[name]);
      if (secretFields.has(name)) return `${toWords(name)} changed`;
      return `${labelled(name, tellValue(name, before, view))} → ${tellValue(name, after, view)}`;
    })
    .join(", ");
}

/** `driver Pat, weight 900`: what the fields are now. */
function describeGiven(names: readonly string[], after: JsonObject, view: View): string {
  return names
    .map((name) => {
      if (typeof after[name] === "boolean") return tellFlag(name, after[name]);
      if (secretFields.has(name)) return `${toWords(name)} changed`;
      return labelled(name, tellValue(name, after, view));
    })
    .join(", ");
}

/** Their values are not for a line that stays on the screen. */
const secretFields: ReadonlySet<string> = new Set(["headers", "secret", "token"]);

/** The fields that differ, but those that differ with every change. */
export function changedFields(before: JsonObject, after: JsonObject): string[] {
  return Object.keys(after).filter(
    (name) =>
      name in before && !besides.has(name) && !isSame(toNothing(before[name]), toNothing(after[name])),
  );
}

/** An empty list or text says as little as null. */
function toNothing(value: unknown): unknown {
  return value === "" || value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;
}

/** What tells who and when, not what; what is a record of its own beside its id; and the secret in its other form. */
export const besides: ReadonlySet<string> = new Set([
  "asset",
  "asset_type",
  "created_by",
  "created_on",
  "customer",
  "dispatcher_id",
  "dump_location",
  "final_location",
  "id",
  "last_updated_on",
  "revision",
  "standard_secret",
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
  is_read: ["read", "unread"],
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

/** With its first letter as a capital. */
export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
