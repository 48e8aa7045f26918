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

export interface Wanted {
  kind: LoadedKind;
  /** null to create the record. */
  actual: SnapshotRecord | null;
  /** null clears a field. */
  fields: Body;
  parts: readonly SaidPart[];
  /** Checks differences like the operations; null if the reader has checked them. */
  check: Check | null;
  /** Whether a difference that no operation can write is an error of the source. */
  refusesReadOnly: boolean;
  toCreation(): Creation;
  toUpdate(comparison: Comparison): ToCalls;
}

export interface Creation {
  body: Body;
  violations: readonly Violation[];
  calls: ToCalls;
}

export interface Comparison {
  own: readonly FieldChange[];
  parts: readonly PartComparison[];
}

/** Plans the calls that remove the differences. Makes no calls and is deterministic, so plans need not be stored. */
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
