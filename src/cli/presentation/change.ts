import { jobTypes } from "../../models/job-types.ts";
import { isObject, isSame, type JsonObject } from "../../models/json.ts";
import { isTimestamp } from "../../models/timestamps.ts";
import { kindOfField, kindOfNoun } from "../../records/find-kind.ts";
import { nameOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import { tellTime } from "./tell-time.ts";
import { labelled, toWords, type View } from "./view.ts";

export interface Change {
  /** null if the operation is about no record. */
  kind: RecordKind | null;
  /** null for a new record, or if it was not read. */
  before: JsonObject | null;
  after: JsonObject;
  /** `created`, `added`, `changed`, `removed`, … */
  done: string;
  /** The fields that the caller gave. */
  given: readonly string[];
  /** The path parameters, such as an address's customer. */
  params: JsonObject;
}

/** `Customer 11 Potomac Roofing`, or `Truck 7` if the name begins with the kind. */
export function toTitle(kind: RecordKind | null, record: JsonObject): string {
  if (!kind) return "It";
  // Its id is the id of the customer.
  const label = capitalize(kind.noun === "customer-locations" ? "customer" : kind.label);
  const name = kind.noun === "jobs" ? null : nameOf(kind, record);
  if (name?.toLowerCase().startsWith(`${kind.label} `)) return name;
  const id = isUuid(record.id) && name !== null ? null : record.id;
  const shown = name !== null && id !== null && /^\d/.test(name) ? `(${name})` : name;
  return [label, id, shown].filter((part) => part !== null && part !== undefined).join(" ");
}

const isUuid = (id: unknown) => typeof id === "string" && id.length === 36;

/** For example the customer of an address; null for a record of its own. */
export function ownerOf({ kind, params }: Pick<Change, "kind" | "params">): Owner | null {
  const within = kind?.within;
  const field = within === undefined || within === "locations" ? undefined : kindOfNoun(within)?.idParam;
  return field === undefined || params[field] === undefined ? null : { field, record: params };
}

interface Owner {
  field: string;
  record: JsonObject;
}

export function namesIn(change: Change): string[] {
  return toldFields(change).filter((field) => kindOfField(field) !== null);
}

/** The given fields if the command did not read the record before. */
function toldFields({ after, before, given }: Change): string[] {
  return before === null
    ? given.filter((field) => field in after && !besides.has(field))
    : changedFields(before, after);
}

/** Describes a write: `Truck 7: driver – → Pat`, `Address 3 added to Potomac Roofing`. */
export function tellChange(change: Change, view: View): string {
  const { after, done, kind } = change;
  const title = toTitle(kind, after);
  const owner = ownerOf(change);
  const whose = (word: string) => (owner ? ` ${word} ${view.nameIn(owner.record, owner.field)}` : "");
  if (done !== "changed") return `${title} ${done}${whose(ownerWords[done] ?? "of")}`;
  return tellOf(`${title}${whose("of")}`, change, view);
}

const ownerWords: Readonly<Record<string, string>> = { added: "to", removed: "from" };

/** A change after the name of the record: `Truck 7 out of service`, `Truck 7: driver – → Pat`. */
export function tellOf(subject: string, change: Change, view: View): string {
  const { after, before } = change;
  const names = toldFields(change);
  if (names.length === 0) return `${subject}${before === null ? " changed" : ": nothing changed"}`;
  if (names.every((name) => typeof after[name] === "boolean"))
    return `${subject} ${names.map((name) => tellFlag(name, after[name])).join(", ")}`;
  return `${subject}: ${before === null ? describeGiven(names, after, view) : describeChanges(before, after, view)}`;
}

/** `notes old → new` for each changed field; a flag shows its new state only. */
export function describeChanges(before: JsonObject, after: JsonObject, view: View): string {
  return changedFields(before, after)
    .map((name) => {
      if (typeof after[name] === "boolean") return tellFlag(name, after[name]);
      if (secretFields.has(name)) return `${toWords(name)} changed`;
      const inside = describeInside(name, before[name], after[name], view);
      if (inside !== null) return inside;
      return `${labelled(name, tellValue(name, before, view))} → ${tellValue(name, after, view)}`;
    })
    .join(", ");
}

/** `address 6 longitude -72.52 → -72.526`: the changes inside a record or a list of records; null for other values. */
function describeInside(name: string, before: unknown, after: unknown, view: View): string | null {
  const [were, are] = [toEntries(before), toEntries(after)];
  if (!Array.isArray(before) && isObject(before) && isObject(after))
    return `${toWords(name)} ${describeChanges(before, after, view) || "changed"}`;
  if (!were || !are || were.length + are.length === 0) return null;
  const label = toWords(name).replace(/(?<=s)es$|s$/, "");
  const find = (list: readonly JsonObject[], id: unknown) => list.find((entry) => entry.id === id);
  const changed = are.flatMap((now) => {
    const was = find(were, now.id);
    if (was === undefined) return [`${label} ${now.id} added`];
    return isSame(was, now) ? [] : [`${label} ${now.id} ${describeChanges(was, now, view)}`];
  });
  const gone = were.filter(({ id }) => !find(are, id)).map(({ id }) => `${label} ${id} removed`);
  return [...changed, ...gone].join(", ");
}

/** null unless each entry is a record with an ID. */
function toEntries(value: unknown): JsonObject[] | null {
  const entries = Array.isArray(value) ? value : null;
  return entries?.every((entry): entry is JsonObject => isObject(entry) && entry.id !== undefined)
    ? entries
    : null;
}

/** `driver Pat, weight 900` */
function describeGiven(names: readonly string[], after: JsonObject, view: View): string {
  return names
    .map((name) => {
      if (typeof after[name] === "boolean") return tellFlag(name, after[name]);
      if (secretFields.has(name)) return `${toWords(name)} changed`;
      return labelled(name, tellValue(name, after, view));
    })
    .join(", ");
}

/** A line that stays on the screen must not show their values. */
const secretFields: ReadonlySet<string> = new Set(["headers", "secret", "token"]);

/** Omits fields that differ after every change. */
export function changedFields(before: JsonObject, after: JsonObject): string[] {
  return Object.keys(after).filter(
    (name) =>
      name in before && !besides.has(name) && !isSame(toNothing(before[name]), toNothing(after[name])),
  );
}

function toNothing(value: unknown): unknown {
  return value === "" || value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;
}

/** Never described: author and time, records next to their ids, a second form of a secret. */
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

/** `out of service`, `no longer paid` */
export function tellFlag(name: string, value: unknown): string {
  const [on, off] = flagWords[name] ?? [toWords(name), `no longer ${toWords(name)}`];
  return value === true ? on : off;
}

const flagWords: Readonly<Record<string, readonly [string, string]>> = {
  is_active: ["active again", "deactivated"],
  is_deactivated: ["deactivated", "active again"],
  is_acknowledged: ["acknowledged", "no longer acknowledged"],
  is_completed: ["completed", "open again"],
  is_failed: ["failed", "not failed any more"],
  is_deleted: ["deleted", "restored"],
  deleted: ["deleted", "restored"],
  out_of_service: ["out of service", "in service again"],
  is_read: ["read", "unread"],
  is_returned: ["returned", "out again"],
};

export function tellValue(field: string, record: JsonObject, view: View): string {
  const value = record[field];
  if (Array.isArray(value)) return value.some(isObject) ? JSON.stringify(value) : value.join(", ") || "–";
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isObject(value)) return tellAddress(value) ?? JSON.stringify(value);
  return tellScalar(field, value, record, view);
}

function tellScalar(field: string, value: unknown, record: JsonObject, view: View): string {
  if (field === "type" && isJobType(value)) return view.typeOf(record);
  if (kindOfField(field) !== null) return view.nameIn(record, field) ?? "–";
  const text = String(value);
  return isTimestamp(text) ? tellTime(field, record, view) : text;
}

function tellAddress({ line_1, locality, postcode, region }: JsonObject): string | null {
  if (typeof line_1 !== "string") return null;
  return [line_1, locality, [region, postcode].filter(Boolean).join(" ")].filter(Boolean).join(", ");
}

const isJobType = (value: unknown) => jobTypes.some((type) => type === value);

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
