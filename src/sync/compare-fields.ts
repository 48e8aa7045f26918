import type { Violation } from "../errors/errors.ts";
import { isSame } from "../models/json.ts";
import type { LoadedFields, LoadedPart } from "./load-kinds.ts";
import type { Body, Json } from "./snapshot-record.ts";

export interface FieldChange {
  field: string;
  from: Json;
  to: Json;
  /** No operation can write it. */
  readOnly: boolean;
}

/** The differences between a record and its source, or everything that is wrong with the source. */
export interface FieldComparison {
  changes: readonly FieldChange[];
  violations: readonly Violation[];
}

/**
 * Reads what a source says that differs from the record, as its operation would; `isNew` for what is to be created. Null
 * instead of it, and why, when the operation would refuse it.
 */
export type Check = (
  kind: LoadedFields,
  said: Body,
  isNew: boolean,
) => { value: Body | null; violations: readonly Violation[] };

/**
 * Compares the source's fields with the record. An absent field is equal. A value that equals the record is not
 * checked: a date that was in the future when it was entered may have passed.
 */
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

/** The fields that change, as the body of an operation. */
export function toBody(changes: readonly FieldChange[]): Body {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]));
}
