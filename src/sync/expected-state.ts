import { isDocument } from "../core/operation.ts";
import type { Violation } from "../errors/errors.ts";
import { isSame, type JsonObject } from "../models/json.ts";
import { recordOf } from "../models/versions/field-paths.ts";
import type { LoadedFields, LoadedKind } from "./load-kinds.ts";
import { type Body, type Json, type SnapshotRecord, toCanonical } from "./snapshot-record.ts";

/** The state on which a plan is based. */
export interface ExpectedState {
  /** Omits fields without a value. */
  record: Body;
  /** The fields that were read. */
  fields: readonly string[];
  /** null if the read returned no entity tag. */
  etag: string | null;
}

export interface ReadState {
  /** Omits fields without a value. */
  record: Body;
  etag: string | null;
  /** Fields that may be absent although they have a value. */
  unread: readonly string[];
}

/** Reduced to the fields of a snapshot. */
export interface ActualRecord extends ReadState {
  record: SnapshotRecord;
}

export function toExpectedState(
  { fields }: Pick<LoadedFields, "fields">,
  { etag, record, unread }: ReadState,
): ExpectedState {
  return { record, fields: fields.filter((name) => name in record || !unread.includes(name)), etag };
}

/** Whether the list returns whole records, so that the entity tag can be computed from it. */
export function listsWholeRecords({
  def,
  list,
  update,
}: Pick<LoadedKind, "def" | "list" | "update">): boolean {
  const record = update?.changes.record;
  if (def.hidden || !record || isDocument(record.output) || isDocument(list.output)) return false;
  return recordOf(list.output) === recordOf(record.output);
}

export function findDifferences({ fields, record }: ExpectedState, now: JsonObject): string[] {
  // Responses of operations are JSON.
  const shown = (value: unknown) => toCanonical(value as Json | undefined);
  return fields.filter((name) => name in now && !isSame(shown(record[name]), shown(now[name])));
}

export function toChangedSince(
  before: Body,
  now: Readonly<Record<string, unknown>>,
  differing: readonly string[],
): Violation {
  const show = (value: unknown) => JSON.stringify(value ?? null);
  const shown = differing
    .slice(0, shownMax)
    .map((name) => `${name} is ${show(now[name])} now, not ${show(before[name])}`);
  const others = differing.length > shownMax ? `, and ${differing.length - shownMax} more` : "";
  return {
    code: "precondition_failed",
    detail: `It was changed after the plan was made: ${shown.join(", ")}${others}. It was not changed.`,
    field: differing[0] ?? null,
  };
}

const shownMax = 5;
