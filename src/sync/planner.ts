import type { UntypedRequest } from "../client/untyped.ts";
import type { Operation } from "../core/operation.ts";
import type { Violation } from "../errors/errors.ts";
import { isSame, type JsonObject } from "../models/json.ts";
import type { LoadedFields, LoadedKind, LoadedPart } from "./load-kinds.ts";
import type { References } from "./placeholders.ts";
import type { Body, Json, SnapshotRecord } from "./snapshot-record.ts";

export type Plan =
  | { action: "create"; body: Body; calls: ToCalls }
  | { action: "update"; id: number; changes: readonly FieldChange[]; calls: ToCalls }
  /** Differs only in fields that no operation can write. */
  | { action: "readOnly"; id: number; changes: readonly FieldChange[] }
  | { action: "same"; id: number }
  | { action: "reject"; violations: readonly Violation[] };

/** After `refuse`, the other calls continue. */
export type ToCalls = (refuse: Refuse) => Calls;

export type Refuse = (violations: readonly Violation[]) => void;

/** Each call receives the response of the previous one. A refusal is thrown into the generator. */
export type Calls = Generator<PlannedCall, void, JsonObject>;

export interface PlannedCall {
  operation: Operation;
  /** The parameters of its path, among other fields. */
  path: JsonObject;
  query?: UntypedRequest["query"];
  body: Body | undefined;
  /** The call fails if the record has another state. Absent for a creation. */
  expected?: ExpectedState;
  /** Needs a record that an earlier call creates, so a dry run skips it. */
  needsRecord?: true;
  /** Runs after all other calls, when the placeholders in these fields have ids. */
  late?: { references: References };
}

export function toReject(code: Violation["code"], detail: string, field: string | null = null): Plan {
  return { action: "reject", violations: [{ code, detail, field }] };
}

/** The state on which a plan is based. */
export interface ExpectedState {
  /** Omits fields without a value. */
  record: Body;
  /** The fields that were read. */
  fields: readonly string[];
  /** null if the read returned no entity tag. */
  etag: string | null;
}

/** A record of the target, reduced to the fields of a snapshot. A field without a value is absent. */
export interface ActualRecord<R extends Body = SnapshotRecord> {
  record: R;
  etag: string | null;
  /** Fields that may be absent although they have a value. */
  unread: readonly string[];
}

export function toExpectedState(
  { fields }: LoadedFields,
  { etag, record, unread }: ActualRecord<Body>,
): ExpectedState {
  return { record, fields: fields.filter((name) => name in record || !unread.includes(name)), etag };
}

export interface FieldChange {
  field: string;
  from: Json;
  to: Json;
  readOnly: boolean;
}

export function toBody(changes: readonly FieldChange[]): Body {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]));
}

/** The wanted state of an existing record, and the rules for reading it. */
export interface Wanted {
  kind: LoadedKind;
  actual: SnapshotRecord;
  /** null clears a field. */
  fields: Body;
  parts: readonly SaidPart[];
  /** Checks the differences as the operations will; absent if the reader has checked them. */
  check?: Check;
  /** A difference that no operation can write is an error of the source. */
  refusesReadOnly?: true;
  toCalls(own: readonly FieldChange[], parts: readonly PartComparison[]): ToCalls;
}

/**
 * Compares a source with the existing record, and plans the calls that remove the difference. It makes no calls and
 * is deterministic.
 */
export function planChange({
  actual,
  check,
  fields,
  kind,
  refusesReadOnly,
  toCalls,
  ...wanted
}: Wanted): Plan {
  const own = compareFields(kind, fields, actual, check);
  const parts = wanted.parts.map((part) => comparePart(part, check));
  const changes = [own, ...parts].flatMap((one) => one.changes);
  const violations = [own, ...parts].flatMap((one) => one.violations);
  if (refusesReadOnly)
    violations.push(...changes.filter(({ readOnly }) => readOnly).map(toReadOnlyViolation));
  const { id } = actual;
  if (violations.length > 0) return { action: "reject", violations };
  if (changes.length === 0) return { action: "same", id };
  if (changes.every(({ readOnly }) => readOnly)) return { action: "readOnly", id, changes };
  return { action: "update", id, changes, calls: toCalls(own.changes, parts) };
}

function toReadOnlyViolation({ field, from, to }: FieldChange): Violation {
  const detail = `${field} is ${JSON.stringify(from)} and cannot be changed to ${JSON.stringify(to)}.`;
  return { code: "state_conflict", detail, field };
}

/** Reads the differences like the operation. Returns null and violations if the operation would refuse them. */
export type Check = (
  kind: LoadedFields,
  said: Body,
  isNew: boolean,
) => { value: Body | null; violations: readonly Violation[] };

interface FieldComparison {
  changes: readonly FieldChange[];
  violations: readonly Violation[];
}

/** An absent field is unchanged. An equal value is not checked: a planned date may have passed since its entry. */
export function compareFields(
  kind: LoadedFields | LoadedPart,
  said: Body,
  actual: Body,
  check?: Check,
): FieldComparison {
  const differing = Object.keys(said).filter((name) => !isSame(actual[name], said[name]));
  if (differing.length === 0) return { changes: [], violations: [] };
  const differences = Object.fromEntries(differing.map((name) => [name, said[name] ?? null]));
  const { value, violations } = check?.(kind, differences, false) ?? { value: said, violations: [] };
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

function isWritable(kind: LoadedFields | LoadedPart, name: string): boolean {
  return kind.updatable.has(name) || ("removal" in kind && kind.removal !== null && name in kind.def.setLast);
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

export interface PartComparison extends FieldComparison {
  part: LoadedPart;
  entries: readonly ComparedEntry[];
}

export interface ComparedEntry extends SaidEntry {
  changes: readonly FieldChange[];
}

export function comparePart(
  { part, entries, others, toName, violations: found = [] }: SaidPart,
  check?: Check,
): PartComparison {
  const changes: FieldChange[] = [];
  const violations = [...found];
  const compared = entries.flatMap(({ actual, number, said }, index): ComparedEntry[] => {
    const { entry, prefix } = toName(index);
    const fields = actual && compareFields(part, said, actual, check);
    const created = actual ? null : check?.(part, said, true);
    for (const { code, detail, field } of (fields ?? created)?.violations ?? [])
      violations.push({ code, detail: prefix + detail, field: field && prefix + field });
    if (created?.value === null || (fields && fields.violations.length > 0)) return [];
    const value = created?.value ?? said;
    const isGone = actual !== null && isTakenAway(part, actual);
    const own = (fields?.changes ?? []).map((change) => ({ ...change, readOnly: change.readOnly || isGone }));
    if (actual) changes.push(...own.map((change) => ({ ...change, field: prefix + change.field })));
    else changes.push({ field: entry, from: null, to: value, readOnly: false });
    return [{ number, said: value, actual, changes: own }];
  });
  for (const [index, { id: _, ...other }] of others.entries()) {
    const field = toName(entries.length + index).entry;
    changes.push({ field, from: other, to: null, readOnly: true });
  }
  return { part, entries: compared, changes, violations };
}

/** Whether an entry was removed permanently. */
export function isTakenAway({ removal, def }: LoadedPart, entry: Body): boolean {
  return removal !== null && Object.entries(def.setLast).some(([name, value]) => entry[name] === value);
}
