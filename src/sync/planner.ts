import type { Violation } from "../errors/errors.ts";
import {
  type Check,
  compareFields,
  comparePart,
  type FieldChange,
  type PartComparison,
  type SaidPart,
} from "./compare-fields.ts";
import type { LoadedKind } from "./load-kinds.ts";
import type { Plan, ToCalls } from "./plan.ts";
import type { Body, SnapshotRecord } from "./snapshot-record.ts";

/** What a source wants of a record, and how its word is taken. */
export interface Wanted {
  kind: LoadedKind;
  /** The record that is there; null when it is to be created. */
  actual: SnapshotRecord | null;
  /** The record's own fields; null empties one. */
  fields: Body;
  parts: readonly SaidPart[];
  /** Checks the differences as the operations will; null if reading the source checked them. */
  check: Check | null;
  /** Whether a difference that no operation can write is a mistake of the source. */
  refusesReadOnly: boolean;
  /** What creates the record. */
  toCreation(): Creation;
  /** The calls that change the record. */
  toUpdate(comparison: Comparison): ToCalls;
}

/** What creates a record, or why it cannot be created. */
export interface Creation {
  body: Body;
  violations: readonly Violation[];
  calls: ToCalls;
}

export interface Comparison {
  own: readonly FieldChange[];
  parts: readonly PartComparison[];
}

/**
 * Compares a source with the record that is there, and plans the calls that remove the difference. It calls nothing,
 * and planning again gives the same plan, so plans need not be kept.
 */
export function planRecord(wanted: Wanted): Plan {
  const { actual, check, fields, kind, refusesReadOnly } = wanted;
  if (actual === null) {
    const { body, calls, violations } = wanted.toCreation();
    return violations.length > 0 ? { action: "reject", violations } : { action: "create", body, calls };
  }
  const own = compareFields(kind, fields, actual, check);
  const parts = wanted.parts.map((part) => comparePart(part, check));
  const changes = [own, ...parts].flatMap((one) => one.changes);
  const violations = [
    ...[own, ...parts].flatMap((one) => one.violations),
    ...changes.filter(({ readOnly }) => readOnly && refusesReadOnly).map(toReadOnlyViolation),
  ];
  const { id } = actual;
  if (violations.length > 0) return { action: "reject", violations };
  if (changes.length === 0) return { action: "same", id };
  if (changes.every(({ readOnly }) => readOnly)) return { action: "readOnly", id, changes };
  return { action: "update", id, changes, calls: wanted.toUpdate({ own: own.changes, parts }) };
}

function toReadOnlyViolation({ field, from, to }: FieldChange): Violation {
  const detail = `${field} is ${JSON.stringify(from)} and cannot be changed to ${JSON.stringify(to)}.`;
  return { code: "state_conflict", detail, field };
}
