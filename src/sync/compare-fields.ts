import type { Violation } from "../errors/errors.ts";
import { isSame } from "../models/json.ts";
import type { LoadedFields, LoadedPart } from "./load-kinds.ts";
import type { Body, Json, SnapshotRecord } from "./snapshot-record.ts";

export interface FieldChange {
  field: string;
  from: Json;
  to: Json;
  readOnly: boolean;
}

export interface FieldComparison {
  changes: readonly FieldChange[];
  violations: readonly Violation[];
}

/** Reads the differences like the operation. Returns null and violations if the operation would refuse them. */
export type Check = (
  kind: LoadedFields,
  said: Body,
  isNew: boolean,
) => { value: Body | null; violations: readonly Violation[] };

/** An absent field is unchanged. An equal value is not checked: a planned date may have passed since its entry. */
export function compareFields(
  kind: LoadedFields,
  said: Body,
  actual: Body,
  check: Check | null = null,
): FieldComparison {
  const differing = Object.keys(said).filter((name) => !isSame(actual[name], said[name]));
  if (differing.length === 0) return { changes: [], violations: [] };
  const { value, violations } = check?.(kind, pick(said, differing), false) ?? {
    value: said,
    violations: [],
  };
  if (value === null) return { changes: [], violations };
  const changes = differing
    .filter((name) => !isSame(actual[name], value[name]))
    .map((field) => ({
      field,
      from: actual[field] ?? null,
      to: value[field] ?? null,
      readOnly: !isWritable(kind, field),
    }));
  return { changes, violations: [] };
}

const pick = (said: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, said[name] ?? null]));

function isWritable(kind: LoadedFields | LoadedPart, name: string): boolean {
  return kind.updatable.has(name) || ("removal" in kind && kind.removal !== null && name in kind.def.setLast);
}

export function toBody(changes: readonly FieldChange[]): Body {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]));
}

export interface SaidPart {
  part: LoadedPart;
  /** `actual` is the existing entry; null for a new one. */
  entries: readonly SaidEntry[];
  /** Entries that only the target has, if the source has the whole list. */
  others: readonly SnapshotRecord[];
  /** Set if the source's value is not a list of entries. */
  violations?: readonly Violation[];
  /** The label of the n-th entry, and the prefix of its fields. */
  toName(index: number): { entry: string; prefix: string };
}

export interface SaidEntry {
  /** The entry's number in the source; null if entries have none. */
  number: number | null;
  /** null clears a field. */
  said: Body;
  actual: SnapshotRecord | null;
}

export interface PartComparison {
  part: LoadedPart;
  entries: readonly ComparedEntry[];
  /** The differences, as text for people. */
  changes: readonly FieldChange[];
  violations: readonly Violation[];
}

export interface ComparedEntry extends SaidEntry {
  changes: readonly FieldChange[];
}

export function comparePart(
  { part, entries, others, toName, violations: found = [] }: SaidPart,
  check: Check | null = null,
): PartComparison {
  const changes: FieldChange[] = [];
  const violations = [...found];
  const compared = entries.flatMap(({ actual, number, said }, index): ComparedEntry[] => {
    const { entry, prefix } = toName(index);
    const one = actual ? compareEntry(part, said, actual, check) : checkNew(part, said, check);
    violations.push(...one.violations.map((violation) => named(violation, prefix)));
    if (one.said === null) return [];
    if (actual) changes.push(...one.changes.map((change) => ({ ...change, field: prefix + change.field })));
    else changes.push({ field: entry, from: null, to: one.said, readOnly: false });
    return [{ number, said: one.said, actual, changes: one.changes }];
  });
  for (const [index, other] of others.entries()) {
    const field = toName(entries.length + index).entry;
    changes.push({ field, from: withoutId(other), to: null, readOnly: true });
  }
  return { part, entries: compared, changes, violations };
}

/** Whether an entry was removed permanently. */
export function isTakenAway({ removal, def }: LoadedPart, entry: Body): boolean {
  return removal !== null && Object.entries(def.setLast).some(([name, value]) => entry[name] === value);
}

interface FoundEntry {
  said: Body | null;
  changes: readonly FieldChange[];
  violations: readonly Violation[];
}

function compareEntry(part: LoadedPart, said: Body, actual: SnapshotRecord, check: Check | null): FoundEntry {
  const { changes, violations } = compareFields(part, said, actual, check);
  const isGone = isTakenAway(part, actual);
  return {
    said: violations.length > 0 ? null : said,
    changes: changes.map((change) => ({ ...change, readOnly: change.readOnly || isGone })),
    violations,
  };
}

function checkNew(part: LoadedPart, said: Body, check: Check | null): FoundEntry {
  const { value, violations } = check?.(part, said, true) ?? { value: said, violations: [] };
  return { said: value, changes: [], violations };
}

function named({ code, detail, field }: Violation, prefix: string): Violation {
  return { code, detail: prefix + detail, field: field && prefix + field };
}

function withoutId({ id: _, ...entry }: Body): Json {
  return entry;
}
