import { pairRecords, toKeys } from "./match-records.ts";
import type { LoadedPart, LoadedType } from "./snapshot-model.ts";
import { type Body, isSameValue, type Json, partsOf, type SnapshotRecord } from "./snapshot-record.ts";

/** A field that differs; null is no value. */
export interface FieldChange {
  /** Its path in the record, like `addresses[0].postcode`; of what only one side has, the whole entry's. */
  field: string;
  from: Json;
  to: Json;
  /** No operation carries it: it stays as it is. */
  stays: boolean;
}

/** How the entries of a list differ. */
export interface PartComparison {
  part: LoadedPart;
  /** The entries that are wanted in their order, each with the one that is there. */
  entries: { wanted: SnapshotRecord; actual: SnapshotRecord | null; changes: FieldChange[] }[];
  /** Entries that are there only. */
  others: SnapshotRecord[];
}

/** The fields of a record or an entry that differ. A field that is always set, and absent, says nothing. */
export function compareFields(
  kind: LoadedType | LoadedPart,
  wanted: Body,
  actual: Body,
  prefix = "",
): FieldChange[] {
  const differing = kind.fields.filter(
    (name) =>
      !isSameValue(wanted[name], actual[name]) && !(wanted[name] === undefined && kind.alwaysSet.has(name)),
  );
  return differing.map((name) => ({
    field: prefix + name,
    from: actual[name] ?? null,
    to: wanted[name] ?? null,
    stays: !canCarry(kind, name),
  }));
}

/** The entries of a list side by side. With `inOrder` the n-th is the n-th: both were just made so. */
export function comparePart(
  part: LoadedPart,
  wanted: SnapshotRecord,
  actual: SnapshotRecord,
  inOrder = false,
): PartComparison {
  const { field } = part.def;
  const ours = partsOf(wanted, field);
  const theirs = partsOf(actual, field);
  const pairs = inOrder
    ? ours.map((_, index) => (index < theirs.length ? index : undefined))
    : pairRecords(part, toAllKeys(part, ours), toAllKeys(part, theirs), (our, their) =>
        isReachable(part, ours[our], theirs[their]),
      );
  const paired = new Set(pairs);
  return {
    part,
    entries: ours.map((entry, index) => {
      const at = pairs[index];
      const other = (at === undefined ? undefined : theirs[at]) ?? null;
      const changes = other ? compareFields(part, entry, other, `${field}[${index}].`) : [];
      // What was taken away for good is not changed any more either.
      const isGone = other !== null && isTakenAway(part, other);
      return {
        wanted: entry,
        actual: other,
        changes: changes.map((change) => ({ ...change, stays: change.stays || isGone })),
      };
    }),
    others: theirs.filter((_, index) => !paired.has(index)),
  };
}

/** All that differs in a record and its lists, for people. */
export function toChanges(fields: readonly FieldChange[], parts: readonly PartComparison[]): FieldChange[] {
  const ofParts = parts.flatMap(({ part, entries, others }) => {
    const { field } = part.def;
    const ours = entries.flatMap(({ wanted, actual, changes }, index) =>
      actual ? changes : [{ field: `${field}[${index}]`, from: null, to: toEntry(wanted), stays: false }],
    );
    const theirs = others.map((entry, index) => ({
      field: `${field}[${entries.length + index}]`,
      from: toEntry(entry),
      to: null,
      stays: true,
    }));
    return [...ours, ...theirs];
  });
  return [...fields, ...ofParts];
}

const toAllKeys = (part: LoadedPart, entries: readonly Body[]) => entries.map((entry) => toKeys(part, entry));

const toEntry = ({ id: _, ...entry }: SnapshotRecord): Json => entry;

function canCarry(kind: LoadedType | LoadedPart, name: string): boolean {
  return (
    kind.updatable.has(name) || ("removal" in kind && kind.removal !== null && name in (kind.def.late ?? {}))
  );
}

/** What was taken away for good is not the entry that is wanted: that one is made anew. */
function isReachable(part: LoadedPart, our: Body | undefined, their: Body | undefined): boolean {
  return !isTakenAway(part, their ?? {}) || isTakenAway(part, our ?? {});
}

function isTakenAway({ removal, def }: LoadedPart, entry: Body): boolean {
  return removal !== null && Object.entries(def.late ?? {}).some(([name, value]) => entry[name] === value);
}
