import type { JsonObject } from "../models/json.ts";
import { parseTimestamp } from "../models/timestamps.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { LoadedKind, LoadedPart } from "./load-kinds.ts";

/** JSON, as bodies hold it. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The fields of a body, or the parameters of a path before they are text. */
export type Body = Record<string, Json>;

/**
 * A record in the newest shape, reduced to what the operations take; fields without a value are absent. `id` is its
 * number: in a file one of the file's own, in a tenant the record's id.
 */
export interface SnapshotRecord extends Body {
  id: number;
}

/** The entries of a list in a record. */
export function partsOf(record: Body, field: string): SnapshotRecord[] {
  const entries = record[field];
  return Array.isArray(entries) ? (entries as SnapshotRecord[]) : [];
}

/** The canonical form of a value: keys sorted and null left out, so that equal values are equal texts. */
export function toCanonical(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(toCanonical);
  if (typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== null && entry !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, entry]) => [name, toCanonical(entry)]));
}

type Kind = Pick<LoadedKind | LoadedPart, "fields" | "planned">;

/** Reduces an answer in the newest shape to the fields that a snapshot holds. */
export function toSnapshot(type: LoadedKind, answer: JsonObject, now: Timestamp): SnapshotRecord {
  const own = toOwnFields(type, answer, now);
  const parts = type.parts.map((part) => [part.def.field, toEntries(part, answer, now)] as const);
  const filled = parts.filter(([, entries]) => entries.length > 0);
  const sorted = [...Object.entries(own), ...filled].sort(([one], [other]) => (one < other ? -1 : 1));
  return { id: Number(answer.id), ...Object.fromEntries(sorted) };
}

/** Reduces an entry of a list in a record the same way. It keeps its id where an operation can name it. */
export function toSnapshotEntry(part: LoadedPart, answer: JsonObject, now: Timestamp): SnapshotRecord {
  const own = toOwnFields(part, answer, now);
  // An entry that no operation names is recognised by its fields.
  return part.def.idParam === null ? (own as SnapshotRecord) : { id: Number(answer.id), ...own };
}

function toEntries(part: LoadedPart, answer: JsonObject, now: Timestamp): SnapshotRecord[] {
  const entries = answer[part.def.field];
  return Array.isArray(entries)
    ? entries.map((entry) => toSnapshotEntry(part, entry as JsonObject, now))
    : [];
}

function toOwnFields({ fields, planned }: Kind, answer: JsonObject, now: Timestamp): Body {
  const own: Body = {};
  for (const name of fields) {
    // The answers of operations are JSON.
    const value = toCanonical(answer[name] as Json);
    if (value === null || (planned.has(name) && isPast(value, now))) continue;
    own[name] = value;
  }
  return own;
}

/** Whether the date of something planned is over, so that no operation takes it any more. */
export function isPast(value: unknown, now: Timestamp): boolean {
  const moment = typeof value === "string" ? parseTimestamp(value) : null;
  return moment !== null && moment !== undefined && moment <= now;
}
