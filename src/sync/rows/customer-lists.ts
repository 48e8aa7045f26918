import type { Violation } from "../../errors/errors.ts";
import { isSame, type JsonObject } from "../../models/json.ts";
import type { LoadedPart } from "../load-kinds.ts";
import type { SaidPart } from "../planner.ts";
import { type Body, type Json, partsOf, type SnapshotRecord } from "../snapshot-record.ts";
import type { Draft } from "./to-draft.ts";

/** A row has one entry in separate columns, or a list in one cell. */
export function toSaidPart(
  part: LoadedPart,
  group: keyof typeof columnsOf,
  single: JsonObject | null,
  list: Json | undefined,
  actual: SnapshotRecord,
  onlyNew: JsonObject = {},
): SaidPart {
  const { defaults, identity, prefix } = columnsOf[group];
  const { field } = part.def;
  const toListName = (index: number) => ({ entry: `${field}[${index}]`, prefix: `${field}[${index}].` });
  const toSingleName = () => ({ entry: prefix.replace("_", "") || "address", prefix });
  const facts = { part, others: [], toName: single ? toSingleName : toListName };
  if (!single && (list === undefined || list === null)) return { ...facts, entries: [] };
  if (!single && !isListOfObjects(list)) return { ...facts, entries: [], violations: [notAList(field)] };
  const there = partsOf(actual, field).filter((entry) => entry.is_active !== false);
  const pairs = matchEntries(single ? [single] : toEntries(list, true), there, identity);
  const entries = pairs.map(({ entry, said: { id: _, ...said } }) => ({
    number: null,
    said: entry
      ? pickFields(said, (name, value) => value !== null || !part.alwaysSet.has(name))
      : pickFields(single ? { ...defaults, ...onlyNew, ...said } : said),
    // Entries of listed records have an id.
    actual: entry as SnapshotRecord | null,
  }));
  return { ...facts, entries };
}

export function toNewLists({ address, contact, onlyNew, record }: Draft): JsonObject {
  return {
    addresses: address
      ? [{ ...columnsOf.address.defaults, ...onlyNew.address, ...dropNull(address) }]
      : toEntries(record.addresses),
    contacts: contact ? [dropNull(contact)] : toEntries(record.contacts),
  };
}

/** Names the column instead of the position in a list. */
export function nameColumn(violation: Violation, { address, contact }: Draft): Violation {
  const rename = (text: string) => {
    const named = address ? text.replaceAll("addresses[0].", "") : text;
    return contact ? named.replaceAll("contacts[0].", "contact_") : named;
  };
  return {
    ...violation,
    detail: rename(violation.detail),
    field: violation.field && rename(violation.field),
  };
}

interface PartColumns {
  identity: readonly string[];
  prefix: string;
  defaults: Body;
}

const columnsOf = {
  address: {
    identity: ["line_1", "postcode"],
    prefix: "",
    // A single address serves both purposes unless its columns say otherwise.
    defaults: { is_billing: true, is_shipping: true },
  },
  contact: { identity: ["name"], prefix: "contact_", defaults: {} },
} as const satisfies Record<string, PartColumns>;

/** The active entries without the fields that the service sets. */
function toEntries(list: unknown, withIds = false): JsonObject[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) return list as JsonObject[];
  return list
    .filter((entry) => entry?.is_active !== false)
    .map((entry) => {
      if (typeof entry !== "object" || entry === null) return entry;
      const { id, is_active: _, is_physical: __, ...own } = entry as JsonObject;
      return withIds && id !== undefined ? { ...own, id } : own;
    });
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "object" && entry !== null);
}

function notAList(field: string): Violation {
  return { code: "wrong_type", detail: `${field} must be a list of objects.`, field };
}

export function pickFields(
  said: JsonObject,
  rule: (name: string, value: unknown) => boolean = () => true,
): Body {
  const picked: Body = {};
  // A loop for speed: it runs several times for each row.
  for (const name of Object.keys(said)) if (rule(name, said[name])) picked[name] = said[name] as Json;
  return picked;
}

/** In a new record, null means the same as a missing field. */
export const dropNull = (said: JsonObject): Body => pickFields(said, (_, value) => value !== null);

/** `entry` is null for a new entry. */
interface EntryPair {
  said: JsonObject;
  entry: JsonObject | null;
}

/** Pairs equal entries first, then equal ids, then equal `identity` fields, and last a single remaining pair. */
function matchEntries(
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
