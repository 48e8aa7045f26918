import type { Timestamp } from "../runtime/clock.ts";
import {
  comparePart,
  isTakenAway,
  type PartComparison,
  type SaidEntry,
  type SaidPart,
} from "./compare-parts.ts";
import type { LoadedFields, LoadedKind, LoadedPart } from "./load-kinds.ts";
import { pairRecords, toKeys } from "./match-records.ts";
import type { KnownNumbers } from "./placeholders.ts";
import { type Body, partsOf, type SnapshotRecord } from "./snapshot-record.ts";

/** A whole record that a tenant is to have. */
export interface WholeRecord {
  kind: LoadedKind;
  /** With the target's ids, and placeholders for those of records that will be created. */
  wanted: SnapshotRecord;
  /** Its number in the source. */
  number: number;
  known: KnownNumbers;
  now(): Timestamp;
}

/** What a whole record says of its fields: a field without a value is empty, unless it always has one. */
export function toSaidFields({ alwaysSet, fields }: LoadedFields, record: Body): Body {
  const said = fields.filter((name) => record[name] !== undefined || !alwaysSet.has(name));
  return Object.fromEntries(said.map((name) => [name, record[name] ?? null]));
}

/** What a whole record says of its lists, each entry beside the one that is there. */
export function toSaidParts(
  { parts }: LoadedKind,
  record: SnapshotRecord,
  actual: SnapshotRecord | null,
): SaidPart[] {
  return parts.map((part) => toSaidPart(part, record, actual));
}

/** Compares the lists of a record that was just created: its n-th entry is the n-th that was sent. */
export function compareCreatedPart(
  part: LoadedPart,
  record: SnapshotRecord,
  created: SnapshotRecord,
): PartComparison {
  const there = partsOf(created, part.def.field);
  const entries = partsOf(record, part.def.field).map((entry, index) =>
    toSaidEntry(part, entry, there[index] ?? null),
  );
  return comparePart({ part, entries, others: [], toName: () => ({ entry: "", prefix: "" }) });
}

function toSaidPart(part: LoadedPart, record: SnapshotRecord, actual: SnapshotRecord | null): SaidPart {
  const { field } = part.def;
  const ours = partsOf(record, field);
  const theirs = actual ? partsOf(actual, field) : [];
  const toAllKeys = (entries: readonly Body[]) => entries.map((entry) => toKeys(part, entry));
  const pairs = pairRecords(part, toAllKeys(ours), toAllKeys(theirs), (our, their) =>
    isReachable(part, ours[our], theirs[their]),
  );
  const paired = new Set(pairs);
  return {
    part,
    entries: ours.map((entry, index) => {
      const at = pairs[index];
      return toSaidEntry(part, entry, (at === undefined ? undefined : theirs[at]) ?? null);
    }),
    others: theirs.filter((_, index) => !paired.has(index)),
    toName: (index) => ({ entry: `${field}[${index}]`, prefix: `${field}[${index}].` }),
  };
}

function toSaidEntry(part: LoadedPart, entry: SnapshotRecord, actual: SnapshotRecord | null): SaidEntry {
  const { id, ...own } = entry;
  return { number: id, said: actual ? toSaidFields(part, own) : own, actual };
}

/** A removed entry cannot change again, so the wanted entry is created. */
function isReachable(part: LoadedPart, our: Body | undefined, their: Body | undefined): boolean {
  return !isTakenAway(part, their ?? {}) || isTakenAway(part, our ?? {});
}
